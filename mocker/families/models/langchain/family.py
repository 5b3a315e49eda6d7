"""`langchain` stays real: the SDKs below its models are answered, and tracing is off."""

from __future__ import annotations

from ....answers.services.model_answers import model_places, protocol_pieces, protocol_setup
from ....contacts import Border, Contact, Family, Mock, ModuleTreatment

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
"""Module → the one protocol of its models; modules not listed may use any."""
_KEYS = (
    "OPENAI_API_KEY", "AZURE_OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GROQ_API_KEY",
    "MISTRAL_API_KEY", "TOGETHER_API_KEY", "GOOGLE_API_KEY", "DEEPSEEK_API_KEY",
)  # fmt: skip


def applies(border: Border) -> tuple[Contact, ...]:
    """Return the contacts with langchain, and with similar libraries above the SDKs."""
    return border.named(*_MODULES)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Services are answered in their protocols; prompts, chains and parsers are real."""
    del contacts
    used = [name for name in _MODULES if border.modules(name)]
    reason = "real code above model SDKs; their requests are answered below httpx"
    spoken = {_SPEAKS.get(name, "any") for name in used}
    protocols = [p for p in _PROTOCOLS if p in spoken or "any" in spoken]
    setup = protocol_setup(border, _PLACES, protocols, _KEYS)
    return Mock(
        treated=tuple(ModuleTreatment(name, "faked", reason) for name in used),
        setup=(
            f'no_tracing()\napproximate_tokens()\nat_once("openai", "anthropic", "groq")\n{setup}'
        ),
        pieces=("model_libraries", "model_http", "approximate_tokens", *protocol_pieces(protocols)),
        answers=model_places(border, _PLACES),
    )


FAMILY = Family("langchain", stub, applies)
