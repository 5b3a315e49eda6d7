"""Google's models: `google.genai` stays real; the older `google.generativeai` is stubbed."""
