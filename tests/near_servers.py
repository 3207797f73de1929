"""Model servers of this machine, as they answer: what a real llama.cpp, Ollama and LM Studio send over the wire."""

from __future__ import annotations

from collections.abc import Mapping

from tests.wire_server import Answer, Reply, Request, json_reply, reply, sse_bytes, sse_reply

GREETING = "Good evening from your own machine."

_LLAMA_HEAD = {"Server": "llama.cpp", "Content-Type": "application/json; charset=utf-8"}
_LLAMA_MODELS = (
    b'{"models":[{"name":"smollm2","model":"smollm2","modified_at":"","size":"","digest":"","type":"model",'
    b'"description":"","tags":[""],"capabilities":["completion"],"parameters":"","details":{"parent_model":"",'
    b'"format":"gguf","family":"","families":[""],"parameter_size":"","quantization_level":""}}],'
    b'"object":"list","data":[{"id":"smollm2","aliases":["smollm2"],"tags":[],"object":"model",'
    b'"architecture":{"input_modalities":["text"],"output_modalities":["text"]},"created":1796067728,'
    b'"owned_by":"llamacpp","meta":{"vocab_type":2,"n_vocab":49152,"n_ctx":8192,"n_ctx_train":8192,'
    b'"n_embd":576,"n_params":134515008,"size":96576768,"ftype":"Q4_1"}}]}'
)
_LLAMA_PROPS = (
    b'{"default_generation_settings":{"params":{"seed":4294967295,"temperature":0.0},"n_ctx":8192},'
    b'"total_slots":1,"model_alias":"smollm2","model_path":"/models/smollm2.gguf",'
    b'"modalities":{"vision":false,"audio":false},"chat_template":"{{ messages }}","is_sleeping":false}'
)
_LLAMA_REFUSAL = b'{"error":{"message":"Invalid API Key","type":"authentication_error","code":401}}'


def llama(request: Request) -> Reply:
    """Answer as llama.cpp with one model."""
    bodies = {"/v1/models": _LLAMA_MODELS, "/props": _LLAMA_PROPS}
    return _chat(request) or _found(request, bodies, _LLAMA_HEAD)


def locked_llama(key: str) -> Answer:
    """Answer as llama.cpp that was started with a key."""

    def answer(request: Request) -> Reply:
        if request.headers.get("authorization") == f"Bearer {key}":
            return llama(request)
        return reply(401, _LLAMA_REFUSAL, _LLAMA_HEAD)

    return answer


def ollama(*names: str) -> Answer:
    """Answer as Ollama that has fetched these models."""
    tags = [
        {
            "name": name,
            "model": name,
            "modified_at": "2026-03-28T21:14:02.581283451+02:00",
            "size": 5225388164,
            "digest": "500a1f067a9f782620b40bee6f7b0c89e17ae61f686b92c24933e4ca4b2b8b41",
            "details": {"format": "gguf", "family": "qwen3", "families": ["qwen3"]},
        }
        for name in names
    ]
    listed = [
        {"id": name, "object": "model", "created": 1774725242, "owned_by": "library"}
        for name in names
    ]
    # Without models it says null.
    answers = {
        "/api/tags": {"models": tags},
        "/v1/models": {"object": "list", "data": listed or None},
    }
    return lambda request: _chat(request) or _json(request, answers)


def lm_studio(*names: str) -> Answer:
    """Answer as LM Studio that has downloaded these models."""
    listed = [{"id": name, "object": "model", "owned_by": "organization_owner"} for name in names]
    answers = {"/v1/models": {"data": listed, "object": "list"}}

    def answer(request: Request) -> Reply:
        wrong = f"Unexpected endpoint or method. ({request.method} {request.path})"
        return _chat(request) or _json(request, answers, {"error": wrong})

    return answer


def _chat(request: Request) -> Reply | None:
    """Greet whoever asks a model."""
    if not request.path.endswith("/chat/completions"):
        return None
    said = {"choices": [{"index": 0, "delta": {"role": "assistant", "content": GREETING}}]}
    end = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
    return sse_reply(sse_bytes(said, end))


def _found(request: Request, bodies: Mapping[str, bytes], head: Mapping[str, str]) -> Reply:
    body = bodies.get(request.path)
    if body is not None:
        return reply(200, body, head)
    missing = b'{"error":{"message":"File Not Found","type":"not_found_error","code":404}}'
    return reply(404, missing, head)


def _json(request: Request, answers: Mapping[str, object], otherwise: object = None) -> Reply:
    if request.path in answers:
        return json_reply(answers[request.path])
    return json_reply(otherwise) if otherwise else reply(404, b"404 page not found")
