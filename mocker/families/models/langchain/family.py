"""`langchain` stays real: the SDKs below its models are answered, and nobody is told of its runs."""

from __future__ import annotations

from ....answers.services.model_answers import model_places, protocol_pieces, protocol_setup
from ....contacts import Border, Contact, Example, Family, Mock, Treated

_MODULES = (
    "langchain", "langchain_core", "langchain_openai", "langchain_anthropic", "langchain_community",
    "langchain_groq", "langchain_mistralai", "langchain_ollama", "langchain_google_genai",
    "langchain_together", "langchain_deepseek", "langchain_xai", "langchain_cohere",
    "langchain_text_splitters", "langgraph", "langsmith", "crewai", "llama_index", "pydantic_ai",
    "instructor", "dspy", "autogen", "agents",
)  # fmt: skip
_MODELS = (
    "langchain_openai.ChatOpenAI", "langchain_openai.AzureChatOpenAI", "langchain_openai.OpenAI",
    "langchain_anthropic.ChatAnthropic", "langchain_groq.ChatGroq", "langchain_ollama.ChatOllama",
    "langchain_mistralai.ChatMistralAI", "langchain_google_genai.ChatGoogleGenerativeAI",
    "langchain.chat_models.ChatOpenAI", "langchain.chat_models.init_chat_model",
    "langchain.llms.OpenAI", "langchain_community.chat_models.ChatOpenAI",
    "langchain_community.llms.Ollama", "langchain_community.chat_models.ChatOllama",
    "langchain_ollama.OllamaLLM", "langchain_together.ChatTogether",
)  # fmt: skip
_ASKING = ("invoke()", "ainvoke()", "predict()", "apredict()", "stream()[]", "astream()[]")
_PLACES = tuple(
    f"{model}().{asking}{text}"
    for model in _MODELS
    for asking in _ASKING
    for text in ("", ".content")
)
_PROTOCOLS = ("openai", "anthropic", "google", "ollama")
_SPEAKS = {
    "langchain_anthropic": "anthropic", "langchain_google_genai": "google",
    "langchain_ollama": "ollama", "langchain_openai": "openai", "langchain_groq": "openai",
    "langchain_mistralai": "openai", "langchain_together": "openai",
    "langchain_deepseek": "openai", "langchain_xai": "openai",
    "langchain_core": "", "langchain_text_splitters": "", "langsmith": "",
}  # fmt: skip
"""Module → the one protocol that its models speak; what is not here may speak any."""
_KEYS = (
    "OPENAI_API_KEY", "AZURE_OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GROQ_API_KEY",
    "MISTRAL_API_KEY", "TOGETHER_API_KEY", "GOOGLE_API_KEY", "DEEPSEEK_API_KEY",
)  # fmt: skip


def applies(border: Border) -> tuple[Contact, ...]:
    """Anything of langchain, and of what is built like it above the SDKs."""
    return border.named(*_MODULES)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """The services are answered in their protocols; prompts, chains and parsers are the real ones."""
    del contacts
    used = [name for name in _MODULES if border.modules(name)]
    said = "real code above model SDKs; their requests are answered below httpx"
    spoken = {_SPEAKS.get(name, "any") for name in used}
    protocols = [p for p in _PROTOCOLS if p in spoken or "any" in spoken]
    setup = protocol_setup(border, _PLACES, protocols, _KEYS)
    return Mock(
        treated=tuple(Treated(name, "faked", said) for name in used),
        setup=(
            f'no_tracing()\napproximate_tokens()\nat_once("openai", "anthropic", "groq")\n{setup}'
        ),
        pieces=("model_libraries", "model_http", "approximate_tokens", *protocol_pieces(protocols)),
        answers=model_places(border, _PLACES),
    )


EXAMPLES = (
    Example(
        title="a prompt and a parser alone",
        source="""\
from langchain_core.output_parsers import CommaSeparatedListOutputParser
from langchain_core.prompts import PromptTemplate

PROMPT = PromptTemplate.from_template("Three {things}, please.")


def asked(things, answer):
    parser = CommaSeparatedListOutputParser()
    return PROMPT.format(things=things), parser.invoke(answer)
""",
        target="asked",
        call="asked('colours', 'red, green')",
        gives="('Three colours, please.', ['red', 'green'])",
    ),
    Example(
        title="a chain of prompt, model and parser",
        source="""\
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_openai import ChatOpenAI

llm = ChatOpenAI(model="gpt-4o-mini", temperature=0)
prompt = ChatPromptTemplate.from_messages([("system", "Be brief."), ("human", "{question}")])
chain = prompt | llm | StrOutputParser()


def ask(question):
    return chain.invoke({"question": question})
""",
        target="ask",
        call="ask('why?')",
        gives="'This is the answer.'",
        effects=("request openai chat.completions",),
    ),
    Example(
        title="messages and a history",
        source="""\
from langchain_anthropic import ChatAnthropic
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage


class Chat:
    def __init__(self, system):
        self.llm = ChatAnthropic(model="claude-sonnet-4-5", max_tokens=50)
        self.messages = [SystemMessage(content=system)]

    def say(self, text):
        self.messages.append(HumanMessage(content=text))
        reply = self.llm.invoke(self.messages)
        self.messages.append(reply)
        return isinstance(reply, AIMessage), reply.content, len(self.messages)
""",
        target="Chat.say",
        call="Chat('s').say('hello')",
        gives="(True, 'This is the answer.', 3)",
        effects=("request anthropic messages",),
    ),
    Example(
        title="structured output and tools",
        source="""\
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from pydantic import BaseModel, Field


class Person(BaseModel):
    name: str
    age: int = Field(ge=18)


@tool
def add(a: int, b: int) -> int:
    \"\"\"Add two numbers.\"\"\"
    return a + b


def extract(text):
    llm = ChatOpenAI(model="gpt-4o", api_key="k")
    person = llm.with_structured_output(Person).invoke(text)
    forced = llm.bind_tools([add], tool_choice="add").invoke(text)
    results = [add.invoke(call["args"]) for call in forced.tool_calls]
    return person, results
""",
        target="extract",
        call="extract('Ann is old')",
        gives="(Person(name='text', age=18), [2])",
        effects=("request openai chat.completions", "request openai chat.completions"),
    ),
    Example(
        title="an asynchronous stream",
        source="""\
from langchain_openai import ChatOpenAI


async def streamed(question):
    llm = ChatOpenAI(model="gpt-4o-mini", streaming=True)
    parts = []
    async for chunk in llm.astream(question):
        if chunk.content:
            parts.append(chunk.content)
    return parts
""",
        target="streamed",
        call="await streamed('?')",
        gives="['This ', 'is ', 'the ', 'answer.']",
        effects=("request openai chat.completions",),
    ),
    Example(
        title="embeddings in a store",
        source="""\
from langchain_core.documents import Document
from langchain_core.vectorstores import InMemoryVectorStore
from langchain_openai import OpenAIEmbeddings


class Memory:
    def __init__(self):
        self.store = InMemoryVectorStore(OpenAIEmbeddings(model="text-embedding-3-small"))

    def remember(self, *texts):
        self.store.add_documents([Document(page_content=text) for text in texts])

    def recall(self, question, k=1):
        return [found.page_content for found in self.store.similarity_search(question, k=k)]


def story():
    memory = Memory()
    memory.remember("rain and wind all day", "tea with milk", "a train to the sea")
    return memory.recall("some tea with lemon")
""",
        target="story",
        call="story()",
        gives="['tea with milk']",
        effects=("request openai embeddings", "request openai embeddings"),
    ),
)

FAMILY = Family("langchain", applies, stub, EXAMPLES)
