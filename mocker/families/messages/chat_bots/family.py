"""Bots for chats: the libraries stay real, above servers that answer and note what is sent."""

from __future__ import annotations

from ....contacts import Border, Contact, Example, Family, Mock, Treated

_KINDS = {
    "discord": ("discord_server", "answer_discord"),
    "telegram": ("telegram_server", "answer_telegram"),
    "telebot": ("telegram_server", "answer_telegram"),
    "aiogram": ("telegram_server", "answer_telegram"),
    "slack_sdk": ("slack_server", "answer_slack"),
    "slack_bolt": ("slack_server", "answer_slack"),
}


def applies(border: Border) -> tuple[Contact, ...]:
    """Anything of their libraries."""
    return border.touching(*_KINDS)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each server is replaced below the library's own client."""
    del border
    tops = sorted({contact.name.partition(".")[0].partition("(")[0] for contact in contacts})
    found = dict.fromkeys(_KINDS[top] for top in tops)
    return Mock(
        treated=tuple(
            Treated(top, "faked", "a server answers in place of the chat's") for top in tops
        ),
        setup="".join(f"{call}()\n" for _, call in found),
        pieces=tuple(piece for piece, _ in found),
    )


_M = "__import__('slice_func_mocks')"

EXAMPLES = (
    Example(
        title="commands of a Discord bot",
        source="""\
import discord
from discord.ext import commands

intents = discord.Intents.default()
intents.message_content = True
bot = commands.Bot(command_prefix="!", intents=intents, help_command=None)


class Scores(commands.Cog):
    def __init__(self, bot):
        self.bot = bot
        self.points = {}

    @commands.command(name="add")
    async def add(self, ctx, points: int = 1):
        self.points[ctx.author.id] = self.points.get(ctx.author.id, 0) + points
        embed = discord.Embed(title="Scores", color=discord.Color.blue())
        embed.add_field(name=ctx.author.display_name, value=self.points[ctx.author.id])
        message = await ctx.send(f"{ctx.author.mention} has more", embed=embed)
        await message.add_reaction("x")
        return message.content


@bot.command()
async def ping(ctx):
    cog = Scores(bot)
    await cog.add(cog, ctx, 5)
    await ctx.reply(f"Pong {round(bot.latency * 1000)}")
    return cog.points, bot.user.name, ctx.guild.name


if __name__ == "__main__":
    bot.run("token")
""",
        target="ping",
        call=f"await ping({_M}.discord_context('!ping'))",
        gives="({101: 5}, 'bot', 'guild')",
        effects=(
            "message discord channel 300",
            "command PUT /channels/300/messages/400/reactions/x/@me",
            "message discord channel 300",
        ),
    ),
    Example(
        title="a Discord client that answers, and slash commands",
        source="""\
import asyncio

import discord
from discord import app_commands


class Client(discord.Client):
    def __init__(self):
        super().__init__(intents=discord.Intents.default())
        self.tree = app_commands.CommandTree(self)

    async def on_message(self, message):
        if message.author == self.user:
            return
        if message.content.startswith("guess"):
            await message.channel.send("Which number?")
            try:
                answer = await self.wait_for("message", check=lambda m: m.author == message.author, timeout=5.0)
            except asyncio.TimeoutError:
                return await message.channel.send("Too slow")
            return (await message.channel.send(f"You said {int(answer.content)}")).content


client = Client()


@client.tree.command(name="hello", description="Say hello")
async def hello(interaction: discord.Interaction):
    await interaction.response.send_message(f"Hi {interaction.user.name}", ephemeral=True)
    return interaction.guild_id


async def both(message, interaction):
    try:
        return await client.on_message(message), await hello.callback(interaction)
    except discord.Forbidden as error:
        return error.status, error.text
""",
        target="both",
        call=f"[await both({_M}.discord_message('guess'), {_M}.discord_interaction()), {_M}.choose(discord='forbidden'), await both({_M}.discord_message('guess'), None)]",
        gives="[('You said 1', 200), None, (403, 'Missing Permissions')]",
        effects=(
            "message discord channel 300",
            "read discord message",
            "message discord channel 300",
            "message discord interaction",
            "message discord channel 300",
        ),
    ),
    Example(
        title="handlers of python-telegram-bot",
        source="""\
from telegram import InlineKeyboardButton, InlineKeyboardMarkup, Update
from telegram.error import Forbidden
from telegram.ext import Application, CommandHandler, ContextTypes

TOKEN = "1:abc"


async def start(update: Update, context: ContextTypes.DEFAULT_TYPE) -> int:
    keyboard = InlineKeyboardMarkup([[InlineKeyboardButton("Yes", callback_data="yes")]])
    name = update.effective_user.first_name
    try:
        sent = await update.message.reply_text(f"Hello {name} {' '.join(context.args)}", reply_markup=keyboard)
        await context.bot.send_message(chat_id=update.effective_chat.id, text="Again")
    except Forbidden as error:
        return error.message
    context.user_data["last"] = sent.text
    return sent.message_id


def main():
    application = Application.builder().token(TOKEN).build()
    application.add_handler(CommandHandler("start", start))
    application.run_polling(allowed_updates=Update.ALL_TYPES)
    return len(application.handlers[0])
""",
        target="start",
        call=f"[await start({_M}.telegram_update(), {_M}.telegram_context('you')), {_M}.choose(telegram='blocked'), await start({_M}.telegram_update(), {_M}.telegram_context())]",
        gives="[1, None, 'Forbidden: bot was blocked by the user']",
        effects=("message telegram 101", "message telegram 101", "message telegram 101"),
    ),
    Example(
        title="a bot of pyTelegramBotAPI",
        source="""\
import telebot
from telebot import types

bot = telebot.TeleBot("1:abc", parse_mode="HTML")
users = {}


@bot.message_handler(commands=["start"])
def start(message):
    markup = types.ReplyKeyboardMarkup(resize_keyboard=True)
    markup.add(types.KeyboardButton("Go"))
    users[message.from_user.id] = message.text
    sent = bot.send_message(message.chat.id, f"Hello {message.from_user.first_name}", reply_markup=markup)
    bot.reply_to(message, "ready")
    return sent.message_id, sent.text, users


@bot.callback_query_handler(func=lambda call: call.data == "1")
def pressed(call):
    bot.answer_callback_query(call.id)


bot.infinity_polling()
""",
        target="start",
        call=f"start({_M}.telebot_message('/start'))",
        gives="(1, 'Hello Ada', {101: '/start'})",
        effects=("message telegram 101", "message telegram 101"),
    ),
    Example(
        title="messages to Slack",
        source="""\
import os

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.webhook import WebhookClient


class Notifier:
    def __init__(self, channel):
        self.client = WebClient(token=os.environ.get("SLACK_TOKEN", "x"))
        self.channel = channel

    def notify(self, text):
        try:
            reply = self.client.chat_postMessage(channel=self.channel, text=text)
            users = self.client.users_list()["members"]
            hook = WebhookClient("https://hooks.slack.example/1").send(text=text)
        except SlackApiError as error:
            return error.response["error"]
        return reply["ts"], [user["name"] for user in users], hook.status_code
""",
        target="Notifier.notify",
        call=f"[Notifier('#a').notify('hi'), {_M}.choose(slack='error'), Notifier('#b').notify('hi')]",
        gives="[('1704110400.000100', ['ada'], 200), None, 'channel_not_found']",
        effects=("message slack #a", "request slack users.list", "message slack webhook", "message slack #b"),
    ),
)  # fmt: skip

FAMILY = Family("bots", applies, stub, EXAMPLES)
