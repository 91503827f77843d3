"""A Hugging Face tokenizer for the vocabulary of a compiled model.

Main definitions: :func:`tokenizer_of`.
"""

from typing import Any

from rasp.errors import MalformedModelError
from rasp.weights.extras import needed
from rasp.weights.model import CompiledModel


def tokenizer_of(model: CompiledModel) -> Any:
    """Return a fast tokenizer: one token per symbol, BOS in front, PAD behind.

    Text is split into characters if all symbols are single characters, else at spaces.

    Raises
    ------
    MalformedModelError
        If transformers is not installed, or for symbols that text cannot tell apart.
    """
    tokenizers, transformers = needed("tokenizers"), needed("transformers")
    symbols = [str(symbol) for symbol in model.vocabulary.symbols]
    if len(set(symbols)) != len(symbols):
        raise MalformedModelError(
            "a tokenizer reads text: it cannot tell symbols apart that are written alike, "
            f"as among {model.vocabulary.symbols!r}"
        )
    single = all(len(symbol) == 1 for symbol in symbols)
    if not single and any(not symbol or symbol.split() != [symbol] for symbol in symbols):
        raise MalformedModelError(
            "symbols of several characters are separated by spaces in text: use symbols without "
            f"spaces, not {symbols!r}"
        )
    pad, bos = _unused("[PAD]", symbols), _unused("[BOS]", symbols)
    ids = {symbol: place for place, symbol in enumerate(symbols)} | {pad: model.vocabulary.pad}
    if model.bos:
        ids[bos] = model.vocabulary.begin
    made = tokenizers.Tokenizer(
        tokenizers.models.WordLevel(ids, unk_token=_unused("[UNK]", symbols))
    )
    split = tokenizers.pre_tokenizers
    made.pre_tokenizer = (
        split.Split(tokenizers.Regex(r"[\s\S]"), "isolated") if single else split.WhitespaceSplit()
    )
    if model.bos:
        made.post_processor = tokenizers.processors.TemplateProcessing(
            single=f"{bos} $A", special_tokens=[(bos, model.vocabulary.begin)]
        )
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=made,
        pad_token=pad,
        padding_side="right",
        model_max_length=model.length + model.bos,
        model_input_names=["input_ids", "attention_mask"],
        **({"bos_token": bos} if model.bos else {}),
    )


def _unused(name: str, symbols: list[str]) -> str:
    while name in symbols:
        name = f"[{name}]"
    return name
