"""Whatever cannot be installed, or must not run here: modules written from types and uses."""

from __future__ import annotations

from ....contacts import Border, Contact, Example, Family, Mock, Treated
from ....core.optional_imports import has_fallback
from ....core.stub_policy import OF_MACHINES, Stubbed, must_stub
from ....stubs import import_of, stub_packages


def applies(border: Border) -> tuple[Contact, ...]:
    """What the policy, or the user, or the installer says cannot be there."""
    found = _found(border)
    imports = tuple(import_of(border, each.module) for each in found)
    return border.named(*(each.module for each in found)) or imports


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """A generated package in place of each."""
    found = _found(border)
    packages = stub_packages(border, {each.module: each.reason for each in found})
    return Mock(
        treated=tuple(Treated(m, "stubbed", why) for m, why in packages.reasons.items()),
        setup=packages.setup,
        pieces=packages.pieces,
        modules=packages.modules,
        inputs=packages.inputs,
        answers=packages.answers,
    )


def _found(border: Border) -> tuple[Stubbed, ...]:
    found: dict[str, Stubbed] = {}
    for external in border.sliced.manifest.externals:
        if border.modules(external.module):
            stubbed = must_stub(external, border.settings)
            # others know what hardware gives, and what settings hold
            if stubbed is None or stubbed.is_gap or stubbed.reason in OF_MACHINES:
                continue
            if not has_fallback(border, external.module):
                found[stubbed.module] = stubbed
    return tuple(found[name] for name in sorted(found))


EXAMPLES = (
    Example(
        title="a configuration flow of a home automation program",
        source="""\
from typing import Any

from homeassistant.config_entries import ConfigEntry, ConfigFlow, OptionsFlow
from homeassistant.const import CONF_HOST, CONF_NAME
from homeassistant.helpers import selector

DOMAIN = "lamps"


class LampFlow(ConfigFlow, domain=DOMAIN):
    VERSION = 1

    def __init__(self) -> None:
        super().__init__()
        self._hosts: dict[str, Any] = {}

    async def async_step_user(self, user_input=None):
        if user_input is not None:
            self._hosts[user_input[CONF_HOST]] = selector.TextSelector()
            return self.async_create_entry(title=user_input[CONF_NAME], data=user_input)
        return self.async_show_form(step_id="user")

    async def names(self):
        step = await self.async_step_user({CONF_HOST: "a", CONF_NAME: "b"})
        return [str(step), list(self._hosts)]
""",
        target="LampFlow.names",
        call="await LampFlow().names()",
        gives='["homeassistant.config_entries.ConfigFlow().async_create_entry('
        "data={'host': 'a', 'name': 'b'}, title='b')\", ['a']]",
        effects=(
            "call homeassistant.config_entries.ConfigFlow",
            "call homeassistant.helpers.selector.TextSelector",
            "call homeassistant.config_entries.ConfigFlow().async_create_entry",
        ),
    ),
    Example(
        title="a model of a solver that needs a licence",
        source="""\
import gurobipy as gp
from gurobipy import GRB


def plan(costs, limit):
    try:
        model = gp.Model("plan")
        x = model.addVars(len(costs), vtype=GRB.BINARY, name="x")
        model.setObjective(gp.quicksum(c * x[i] for i, c in enumerate(costs)), GRB.MINIMIZE)
        model.addConstr(x.sum() <= limit)
        model.optimize()
    except gp.GurobiError as error:
        return f"{error.errno}: {error}"
    if model.status == GRB.INFEASIBLE:
        return None
    return [v.X > 0.5 for v in model.getVars()]
""",
        target="plan",
        call="plan([3, 4], 1)",
        gives="[True, True]",
        effects=(
            "call gurobipy.Model",
            "call gurobipy.Model().addVars",
            "call gurobipy.quicksum",
            "call gurobipy.Model().setObjective",
            "call gurobipy.Model().addVars().sum",
            "call gurobipy.Model().addConstr",
            "call gurobipy.Model().optimize",
            "call gurobipy.Model().getVars",
        ),
    ),
    Example(
        title="an operator of a 3D program, with registration",
        source="""\
import bpy
from bpy.props import FloatProperty
from mathutils import Vector


class MoveUp(bpy.types.Operator):
    bl_idname = "object.move_up"
    height: FloatProperty(name="height", default=1.0)

    def execute(self, context):
        for thing in context.selected_objects:
            thing.location = Vector((0, 0, 2))
        self.report({"INFO"}, f"moved {len(context.selected_objects)}")
        return {"FINISHED"}


def register():
    bpy.utils.register_class(MoveUp)
    return MoveUp().execute(bpy.context)
""",
        target="register",
        call="register()",
        gives="{'FINISHED'}",
        effects=(
            "call bpy.utils.register_class",
            "call bpy.types.Operator",
            "call mathutils.Vector",
            "call mathutils.Vector",
            "call bpy.types.Operator().report",
        ),
    ),
    Example(
        title="a robot's node, with a mixin of its own and callbacks",
        source="""\
from abc import ABC, abstractmethod

import rclpy
from rclpy.node import Node
from std_msgs.msg import String


class Named(ABC):
    @abstractmethod
    def topic(self): ...


class Talker(Node, Named):
    def __init__(self):
        super().__init__("talker")
        self.count = 0
        self.publisher = self.create_publisher(String, self.topic(), 10)
        self.timer = self.create_timer(0.5, self.tick)

    def topic(self):
        return "chatter"

    def tick(self):
        message = String()
        message.data = f"hello {self.count}"
        self.publisher.publish(message)
        self.count += 1
        return message.data


def main():
    rclpy.init()
    talker = Talker()
    said = [talker.tick(), talker.tick()]
    talker.destroy_node()
    rclpy.shutdown()
    return said
""",
        target="main",
        call="main()",
        gives="['hello 0', 'hello 1']",
        effects=(
            "call rclpy.init",
            "call rclpy.node.Node",
            "call rclpy.node.Node().create_publisher",
            "call rclpy.node.Node().create_timer",
            "call std_msgs.msg.String",
            "call rclpy.node.Node().create_publisher().publish",
            "call std_msgs.msg.String",
            "call rclpy.node.Node().create_publisher().publish",
            "call rclpy.node.Node().destroy_node",
            "call rclpy.shutdown",
        ),
    ),
    Example(
        title="decorators of a package that nobody has",
        source="""\
import inhouse_jobs
from inhouse_jobs import errors, retry as again
from inhouse_jobs.queue import Queue, task

queue = Queue("mail", durable=True)
app = inhouse_jobs.App(__name__)


@app.route("/send", methods=["POST"])
@queue.consumer
@again(times=3)
def send(address):
    try:
        with queue.connect() as channel:
            channel.put({"to": address})
    except errors.QueueFull as error:
        return error.code
    return address.upper()


@task
class Mail:
    def __init__(self, to):
        self.to = to


async def both(addresses):
    async with queue.session() as session:
        async for event in session.events():
            await event.done()
    return [Mail(send(address)).to for address in addresses]
""",
        target="both",
        call="await both(['a', 'b'])",
        gives="['A', 'B']",
        effects=(
            "call inhouse_jobs.queue.Queue().session",
            "call inhouse_jobs.queue.Queue().session().events",
            "call inhouse_jobs.queue.Queue().session().events()[].done",
            "call inhouse_jobs.queue.Queue().session().events()[].done",
            "call inhouse_jobs.queue.Queue().connect",
            "call inhouse_jobs.queue.Queue().connect().put",
            "call inhouse_jobs.queue.Queue().connect",
            "call inhouse_jobs.queue.Queue().connect().put",
        ),
        files=((".gitignore", "inhouse_jobs.py\n"),),
    ),
    Example(
        title="keys of a terminal, whose constants are Python's own",
        source="""\
import curses
from curses import A_BOLD, KEY_PPAGE


def moved(key, row):
    if key in (curses.KEY_UP, KEY_PPAGE):
        return row - 1
    if key == curses.KEY_DOWN:
        curses.beep()
        return row + 1
    return row | A_BOLD
""",
        target="moved",
        call="moved(259, 4), moved(258, 4), moved(0, 4)",
        gives="(3, 5, 2097156)",
        effects=("call curses.beep",),
    ),
    Example(
        title="a script inside an editor, guarded by what it can do without",
        source="""\
try:
    import sublime
except ImportError:
    sublime = None
try:
    import winreg
except ImportError:
    from os import environ as registry


def shown(text):
    if sublime is None:
        return text
    sublime.active_window().status_message(text)
    return f"{text} shown, {len(registry) > 0}"
""",
        target="shown",
        call="shown('x')",
        gives="'x shown, True'",
        effects=(
            "call sublime.active_window",
            "call sublime.active_window().status_message",
        ),
    ),
)

FAMILY = Family("what is not installable", applies, stub, EXAMPLES)
