"""`openai` stays real: requests of its clients are answered below httpx."""

from __future__ import annotations

from ....answers.services.model_answers import (
    model_places,
    places_of,
    protocol_pieces,
    protocol_setup,
)
from ....contacts import Border, Contact, Example, Family, Mock, Treated

_CLIENTS = ("OpenAI()", "AsyncOpenAI()", "AzureOpenAI()", "AsyncAzureOpenAI()")
_MESSAGE = ("create()", "parse()")
_PLACES = (
    *places_of("openai", _CLIENTS, "chat.completions", _MESSAGE, "choices[].message.content"),
    *places_of("openai", _CLIENTS, "beta.chat.completions", _MESSAGE, "choices[].message.content"),
    *places_of("openai", _CLIENTS, "chat.completions", ("create()",), "[].choices[].delta.content"),
    *places_of("openai", _CLIENTS, "responses", _MESSAGE, "output_text"),
    *places_of("openai", _CLIENTS, "responses", _MESSAGE, "output[].content[].text"),
    *places_of("openai", _CLIENTS, "completions", ("create()",), "choices[].text"),
    *places_of("openai", _CLIENTS, "audio.transcriptions", ("create()",), "text"),
    *places_of("openai", _CLIENTS, "audio.translations", ("create()",), "text"),
    *places_of(
        "openai", _CLIENTS, "beta.threads.messages", ("list()",), "data[].content[].text.value"
    ),
    *places_of("openai", ("",), "chat.completions", ("create()",), "choices[].message.content"),
)
_OLD = tuple(
    f"openai.{name}"
    for name in (
        "ChatCompletion", "Completion", "Embedding", "Image", "Audio", "Moderation", "Edit",
        "File", "Model", "FineTune", "FineTuningJob", "error", "openai_object", "Engine",
    )
)  # fmt: skip


def applies(border: Border) -> tuple[Contact, ...]:
    """Anything of openai; of its old interface nothing, which is another library."""
    return () if border.named(*_OLD) else border.named("openai")


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each request is answered as the protocol says, with a text that the slice can read."""
    del contacts
    keys = ("OPENAI_API_KEY", "AZURE_OPENAI_API_KEY")
    return Mock(
        treated=(Treated("openai", "faked", "its HTTP transport is answered in the script"),),
        setup=f'at_once("openai")\n{protocol_setup(border, _PLACES, ("openai",), keys)}',
        pieces=protocol_pieces(("openai",)),
        answers=model_places(border, _PLACES),
    )


EXAMPLES = (
    Example(
        title="a client of the module answers in JSON",
        source="""\
import json
import os

from openai import OpenAI, RateLimitError

client = OpenAI(api_key=os.getenv("OPENAI_API_KEY"))


def keywords(text, model="gpt-4o-mini"):
    try:
        reply = client.chat.completions.create(
            model=model,
            messages=[
                {"role": "system", "content": "Answer with JSON."},
                {"role": "user", "content": f"Keywords of: {text}"},
            ],
            response_format={"type": "json_object"},
            temperature=0,
        )
    except RateLimitError:
        return []
    found = json.loads(reply.choices[0].message.content)
    return sorted(type(value).__name__ for value in found.values()), reply.choices[0].finish_reason
""",
        target="keywords",
        call="keywords('a text')[1]",
        gives="'stop'",
        effects=("request openai chat.completions",),
    ),
    Example(
        title="a client of an object, its errors, and an answer in words",
        source="""\
import openai


class Writer:
    def __init__(self, key=None, model="gpt-4"):
        self.client = openai.OpenAI(api_key=key)
        self.model = model
        self.history = []

    def say(self, text):
        self.history.append({"role": "user", "content": text})
        try:
            answer = self.client.chat.completions.create(model=self.model, messages=self.history)
        except openai.APIConnectionError as error:
            return f"no connection: {error}"
        except openai.OpenAIError as error:
            return f"failed: {error}"
        message = answer.choices[0].message
        self.history.append({"role": message.role, "content": message.content})
        return message.content.strip(), answer.usage.total_tokens > 0, len(self.history)
""",
        target="Writer.say",
        call="Writer().say('hello')",
        gives="('This is the answer.', True, 2)",
        effects=("request openai chat.completions",),
    ),
    Example(
        title="answers whose keys are read, far from the request",
        source="""\
import json

import openai


def get_answer(prompt, response_format="json_object", model=None):
    client = openai.OpenAI(api_key="k")
    response = client.chat.completions.create(
        model=model or "gpt-4o",
        response_format={"type": response_format},
        messages=[{"role": "user", "content": prompt}],
    )
    return response.choices[0].message.content


def review(text):
    found = json.loads(get_answer(text))
    names = [question["query"].upper() for question in found["questions"]]
    return len(names), isinstance(found["score"] + 1, (int, float))
""",
        target="review",
        call="review('a text')",
        gives="(2, True)",
        effects=("request openai chat.completions",),
    ),
    Example(
        title="a stream, asynchronously",
        source="""\
from openai import AsyncOpenAI


class Bot:
    def __init__(self):
        self._client = AsyncOpenAI()

    async def answer(self, question):
        stream = await self._client.chat.completions.create(
            model="gpt-4o",
            messages=[{"role": "user", "content": question}],
            stream=True,
        )
        parts = []
        async for chunk in stream:
            if chunk.choices and chunk.choices[0].delta.content:
                parts.append(chunk.choices[0].delta.content)
        return len(parts), "".join(parts)
""",
        target="Bot.answer",
        call="await Bot().answer('why?')",
        gives="(4, 'This is the answer.')",
        effects=("request openai chat.completions",),
    ),
    Example(
        title="an answer parsed into a model of pydantic",
        source="""\
from typing import Literal

from openai import AsyncOpenAI, LengthFinishReasonError
from pydantic import BaseModel, Field

client = AsyncOpenAI(api_key="k")


class Option(BaseModel):
    text: str
    right: bool


class Question(BaseModel):
    title: str
    level: Literal["easy", "hard"]
    options: list[Option] = Field(min_length=1)


async def question(topic):
    try:
        reply = await client.beta.chat.completions.parse(
            model="gpt-4o-mini",
            messages=[{"role": "user", "content": topic}],
            response_format=Question,
        )
    except LengthFinishReasonError:
        return None
    return reply.choices[-1].message.parsed
""",
        target="question",
        call="await question('history')",
        gives="Question(title='text', level='easy', options=[Option(text='text', right=True)])",
        effects=("request openai chat.completions",),
    ),
    Example(
        title="embeddings, and what they are compared by",
        source="""\
import numpy as np
from openai import OpenAI


def embed(texts):
    client = OpenAI()
    reply = client.embeddings.create(model="text-embedding-3-small", input=texts)
    return np.array([item.embedding for item in reply.data])


def nearest(question, texts):
    vectors = embed([question, *texts])
    near = vectors[1:] @ vectors[0]
    return texts[int(near.argmax())], vectors.shape, round(float(vectors[0] @ vectors[0]), 3)
""",
        target="nearest",
        call="nearest('the price of tea', ['rain and wind', 'tea has a price', 'nothing'])",
        gives="('tea has a price', (4, 1536), 1.0)",
        effects=("request openai embeddings",),
    ),
    Example(
        title="tools until there is an answer",
        source="""\
import json

from openai import OpenAI

client = OpenAI()
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "weather",
            "parameters": {
                "type": "object",
                "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
                "required": ["city"],
            },
        },
    }
]


def weather(city, days=1):
    return f"{city}: {days} days of sun"


def agent(question):
    messages = [{"role": "user", "content": question}]
    said = []
    choice = {"type": "function", "function": {"name": "weather"}}
    for _ in range(3):
        reply = client.chat.completions.create(
            model="gpt-4o", messages=messages, tools=TOOLS, tool_choice=choice
        )
        choice = "auto"
        message = reply.choices[0].message
        if not message.tool_calls:
            return message.content, said
        messages.append(message.model_dump(exclude_none=True))
        for call in message.tool_calls:
            result = weather(**json.loads(call.function.arguments))
            said.append(result)
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
""",
        target="agent",
        call="agent('what weather?')",
        gives="('This is the answer.', ['text: 1 days of sun'])",
        effects=("request openai chat.completions", "request openai chat.completions"),
    ),
    Example(
        title="an assistant that is waited for",
        source="""\
import time

from openai import OpenAI


def review(path, name):
    client = OpenAI()
    with open(path, "rb") as file:
        uploaded = client.files.create(file=file, purpose="assistants")
    thread = client.beta.threads.create()
    client.beta.threads.messages.create(
        thread_id=thread.id,
        role="user",
        content="Review this.",
        attachments=[{"file_id": uploaded.id, "tools": [{"type": "file_search"}]}],
    )
    assistant = client.beta.assistants.create(name=name, model="gpt-4o")
    run = client.beta.threads.runs.create(thread_id=thread.id, assistant_id=assistant.id)
    while run.status not in ("completed", "failed"):
        time.sleep(1)
        run = client.beta.threads.runs.retrieve(thread_id=thread.id, run_id=run.id)
    messages = client.beta.threads.messages.list(thread_id=thread.id).data
    return uploaded.purpose, run.status, messages[0].content[0].text.value
""",
        target="review",
        call="review(__file__, 'critic')",
        gives="('assistants', 'completed', 'This is the answer.')",
        effects=(
            "request openai POST files", "request openai POST threads",
            "request openai POST threads.messages", "request openai POST assistants",
            "request openai POST threads.runs", "request openai GET threads.messages",
        ),
    ),
    Example(
        title="responses, speech, pictures and what is not allowed",
        source="""\
import base64

from openai import OpenAI

client = OpenAI()


def everything(text):
    answer = client.responses.create(model="gpt-4o", input=text).output_text
    with client.responses.stream(model="gpt-4o", input=text) as stream:
        parts = [event.delta for event in stream if event.type == "response.output_text.delta"]
        final = stream.get_final_response().output_text
    image = client.images.generate(model="dall-e-3", prompt=text, response_format="b64_json")
    heard = client.audio.transcriptions.create(model="whisper-1", file=("a.wav", b"RIFF"))
    speech = client.audio.speech.create(model="tts-1", voice="alloy", input=text).content
    flagged = client.moderations.create(input=text).results[0].flagged
    models = [model.id for model in client.models.list()]
    return (
        answer == final == "".join(parts) == heard.text,
        base64.b64decode(image.data[0].b64_json)[1:4], speech[:3], flagged, models[0],
    )
""",
        target="everything",
        call="everything('a dog')",
        gives="(True, b'PNG', b'ID3', False, 'gpt-4o')",
        effects=(
            "request openai responses", "request openai responses",
            "request openai images.generations", "request openai audio.transcriptions",
            "request openai audio.speech", "request openai moderations", "request openai models",
        ),
    ),
    Example(
        title="another service of the protocol, and Azure",
        source="""\
from openai import AzureOpenAI, OpenAI

local = OpenAI(base_url="http://models.example:8000/v1", api_key="none")
azure = AzureOpenAI(
    azure_endpoint="https://mine.openai.azure.com", api_version="2024-06-01", api_key="k"
)


def both(text):
    messages = [{"role": "user", "content": text}]
    one = local.chat.completions.create(model="qwen", messages=messages)
    two = azure.chat.completions.create(model="gpt-4", messages=messages)
    return one.choices[0].message.content == two.choices[0].message.content, one.model, two.model
""",
        target="both",
        call="both('hi')",
        gives="(True, 'qwen', 'gpt-4')",
        effects=(
            "request models.example:8000 chat.completions", "request azure openai chat.completions",
        ),
    ),
)  # fmt: skip

FAMILY = Family("openai", applies, stub, EXAMPLES)
