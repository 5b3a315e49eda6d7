"""Chat bots: the libraries stay real, over servers that answer and note what is sent."""

from __future__ import annotations

from ....contacts import Border, Contact, Family, Mock, ModuleTreatment

_KINDS = {
    "discord": ("discord_server", "answer_discord"),
    "telegram": ("telegram_server", "answer_telegram"),
    "telebot": ("telegram_server", "answer_telegram"),
    "aiogram": ("telegram_server", "answer_telegram"),
    "slack_sdk": ("slack_server", "answer_slack"),
    "slack_bolt": ("slack_server", "answer_slack"),
}


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each server is replaced below the library's own client."""
    del border
    tops = sorted({contact.name.partition(".")[0].partition("(")[0] for contact in contacts})
    found = dict.fromkeys(_KINDS[top] for top in tops)
    return Mock(
        treated=tuple(
            ModuleTreatment(top, "faked", "a server answers in place of the chat's") for top in tops
        ),
        setup="".join(f"{call}()\n" for _, call in found),
        pieces=tuple(piece for piece, _ in found),
    )


FAMILY = Family("bots", stub)
