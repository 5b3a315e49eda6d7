"""`litellm` stays real: whichever service it calls is answered below httpx."""

from __future__ import annotations

from ....answers.services.model_answers import model_places, protocol_pieces, protocol_setup
from ....contacts import Border, Contact, Example, Family, Mock, Treated, is_below

_ROOTS = tuple(
    f"litellm.{name}"
    for name in ("completion()", "acompletion()", "Router().completion()", "Router().acompletion()")
)
_PLACES = tuple(
    place
    for root in _ROOTS
    for place in (
        f"{root}.choices[].message.content", f"{root}[].choices[].delta.content",
        f"{root}[][][][]",
    )
)  # fmt: skip
_ABOVE = ("liteswarm", "crewai", "dspy", "smolagents")
_PROTOCOLS = ("openai", "anthropic", "google", "ollama", "cohere")
_KEYS = tuple(
    f"{name}_API_KEY"
    for name in (
        "OPENAI", "AZURE", "ANTHROPIC", "GEMINI", "GROQ", "TOGETHERAI", "MISTRAL", "DEEPSEEK",
        "OPENROUTER", "XAI", "PERPLEXITYAI", "FIREWORKS_AI", "CEREBRAS", "COHERE",
    )
)  # fmt: skip


def applies(border: Border) -> tuple[Contact, ...]:
    """Anything of litellm, or of what imports it, which asks the network for its tables."""
    return border.touching("litellm", *_ABOVE)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each service is answered in its own protocol."""
    asks = any(map(_may_ask, contacts))
    setup = protocol_setup(border, _PLACES, _PROTOCOLS, _KEYS) if asks else ""
    return Mock(
        treated=(
            Treated("litellm", "faked", "the services that it calls are answered below httpx"),
        ),
        setup="litellm_at_home()\n" + (f'at_once("openai")\n{setup}' if asks else ""),
        pieces=("model_libraries", *(protocol_pieces(_PROTOCOLS) if asks else ())),
        answers=model_places(border, _PLACES) if asks else (),
    )


def _may_ask(contact: Contact) -> bool:
    """Whether it is more than a type or an exception of litellm, which ask nobody."""
    name = contact.name.partition("(")[0].rpartition(".")[2]
    is_type = name[:1].isupper() and not name.endswith("Router")
    return not (is_type and is_below(contact.name, "litellm"))


EXAMPLES = (
    Example(
        title="types of answers alone",
        source="""\
from litellm import Usage


def together(first, second):
    return Usage(
        prompt_tokens=first.prompt_tokens + second.prompt_tokens,
        completion_tokens=first.completion_tokens + second.completion_tokens,
    )
""",
        target="together",
        call="together(Usage(prompt_tokens=1), Usage(prompt_tokens=2)).prompt_tokens",
        gives="3",
    ),
    Example(
        title="one function for every service",
        source="""\
from litellm import completion


def ask(question, models):
    found = {}
    for model in models:
        reply = completion(model=model, messages=[{"role": "user", "content": question}])
        found[model] = reply.choices[0].message.content
    return found
""",
        target="ask",
        call="sorted(ask('?', ['gpt-4o', 'groq/llama-3.1-8b-instant', 'anthropic/claude-3-haiku-20240307']).values())",
        gives="['This is the answer.', 'This is the answer.', 'This is the answer.']",
        effects=(
            "request openai chat.completions",
            "request groq chat.completions",
            "request anthropic messages",
        ),
    ),
    Example(
        title="an agent that streams",
        source="""\
import litellm
from litellm import CustomStreamWrapper
from litellm.exceptions import ContextWindowExceededError
from litellm.types.utils import Usage

litellm.modify_params = True


class Agent:
    def __init__(self, model="gpt-4o-mini"):
        self.model = model
        self.tokens = 0

    async def _stream(self, messages) -> CustomStreamWrapper:
        return await litellm.acompletion(
            model=self.model, messages=messages, stream=True, stream_options={"include_usage": True}
        )

    async def say(self, text):
        try:
            stream = await self._stream([{"role": "user", "content": text}])
        except ContextWindowExceededError:
            return None
        parts = []
        async for chunk in stream:
            usage: Usage | None = getattr(chunk, "usage", None)
            if usage:
                self.tokens += usage.total_tokens
            if chunk.choices and chunk.choices[0].delta.content:
                parts.append(chunk.choices[0].delta.content)
        return "".join(parts), self.tokens > 0
""",
        target="Agent.say",
        call="await Agent().say('hello')",
        gives="('This is the answer.', True)",
        effects=("request openai chat.completions",),
    ),
    Example(
        title="what a model can do, and what it costs",
        source="""\
import litellm
from litellm import token_counter


def plan(model, text):
    known = litellm.get_supported_openai_params(model) or []
    count = token_counter(model=model, text=text)
    return "tools" in known, count, litellm.supports_response_schema(model), model in litellm.model_cost
""",
        target="plan",
        call="plan('gpt-4o', 'three little words')",
        gives="(True, 3, True, True)",
    ),
    Example(
        title="embeddings for a store",
        source="""\
import asyncio

from litellm import aembedding


class Index:
    def __init__(self, model="text-embedding-3-small"):
        self.model = model
        self.rows = []

    async def add(self, texts):
        reply = await aembedding(model=self.model, input=texts)
        self.rows += [item["embedding"] for item in reply.data]
        return [len(row) for row in self.rows]
""",
        target="Index.add",
        call="await Index().add(['a', 'b'])",
        gives="[1536, 1536]",
        effects=("request openai embeddings",),
    ),
    Example(
        title="an error, and another model instead",
        source="""\
import litellm
from litellm import RateLimitError, completion


def careful(text):
    try:
        reply = completion(
            model="gpt-4o", messages=[{"role": "user", "content": text}], num_retries=0, max_retries=0
        )
    except RateLimitError:
        return "limited"
    except (litellm.AuthenticationError, litellm.Timeout) as error:
        return type(error).__name__
    return reply["choices"][0]["message"]["content"]


def each(text):
    import slice_func_mocks

    found = []
    for variant in ("default", "rate limit", "unauthorized", "timeout"):
        slice_func_mocks.choose(openai=variant)
        found.append(careful(text))
    return found
""",
        target="each",
        call="each('x')",
        gives="['This is the answer.', 'limited', 'AuthenticationError', 'Timeout']",
        effects=("request openai chat.completions",) * 4,
    ),
)

FAMILY = Family("litellm", applies, stub, EXAMPLES)
