"""What OpenTelemetry's attributes may reveal: its model says so only in prose."""

from __future__ import annotations

from typing import Final

SENSITIVITY: Final = {
    "db.operation.parameter": "content",
    "db.query.parameter": "content",
    "enduser.id": "personal",
    "enduser.pseudo.id": "personal",
    "gen_ai.completion": "content",
    "gen_ai.evaluation.explanation": "content",
    "gen_ai.input.messages": "content",
    "gen_ai.output.messages": "content",
    "gen_ai.prompt": "content",
    "gen_ai.retrieval.documents": "content",
    "gen_ai.retrieval.query.text": "content",
    "gen_ai.system_instructions": "content",
    "gen_ai.tool.call.arguments": "content",
    "gen_ai.tool.call.result": "content",
    "graphql.document": "content",
    "http.request.header": "content",
    "http.response.header": "content",
    "process.environment_variable": "content",
    "rpc.request.metadata": "content",
    "rpc.response.metadata": "content",
    "user.email": "personal",
    "user.full_name": "personal",
    "user.hash": "personal",
    "user.id": "personal",
    "user.name": "personal",
}
"""By key: those whose values are people or what people said. All others have the default of
their type: `public` for numbers and enumerations, `internal` (kept, and scanned) for text."""
