"""Google's models: `google.genai` stays real; its elder `google.generativeai` is stubbed."""
