"""Environment variables: those that the slice requires are set, unless they already are."""

from __future__ import annotations

from ....answers.process.environment_variables import dotenv_names, settings_classes, variables
from ....contacts import Border, Contact, Family, Mock, ModuleTreatment
from ....source.kept_code import kept_code

_NAMES = (
    "os.environ", "os.getenv", "dotenv", "decouple", "environs", "environ.Env",
    "starlette.config", "pydantic_settings.BaseSettings", "pydantic.BaseSettings",
    "pydantic.v1.BaseSettings",
)  # fmt: skip


def applies(border: Border) -> tuple[Contact, ...]:
    """Return the contacts that read variables or search for `.env` files."""
    contacts = border.named(*_NAMES)
    if _searches(border) or not (contacts or border.modules("pydantic_settings", "pydantic")):
        return contacts
    code = kept_code(border)
    # a base class is no contact of its own
    classes = [Contact("pydantic_settings.BaseSettings", path, cls.name, cls.lineno)
               for path, cls in settings_classes(code)]  # fmt: skip
    return (*contacts, *classes) if variables(border, code) else ()


def _searches(border: Border) -> bool:
    return bool(border.named("dotenv", "decouple", "environs"))


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Required variables have usable values; `.env` files are never searched for."""
    del contacts
    code = kept_code(border)
    found = variables(border, code)
    setup = f"set_variables({found!r})\n" if found else ""
    treated: list[ModuleTreatment] = []
    if found:
        reason = f"where they are not, these are set: {', '.join(found)}"
        treated = [
            ModuleTreatment(module, "faked", reason) for module in ("os", "pydantic_settings")
        ]
    if border.named("dotenv"):
        values = {name: found.get(name, "key") for name in sorted({*found, *dotenv_names(code)})}
        setup += f"offer_dotenv({values!r})\n"
        treated.append(ModuleTreatment("dotenv", "faked", "no .env file is searched for or read"))
    if border.named("decouple", "environs"):
        setup += "search_no_settings()\n"
        reason = "no file of settings is searched for"
        treated += [ModuleTreatment(module, "faked", reason) for module in ("decouple", "environs")]
    return Mock(tuple(treated), setup, pieces=("environment",))


FAMILY = Family("environment", stub, applies)
