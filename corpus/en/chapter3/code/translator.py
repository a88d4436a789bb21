"""The translator of chapter 3: it turns one sequence of numbers into another."""

import math
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn
from transformers import AutoTokenizer


@dataclass
class Config:
    width: int  # one width for the whole model, so that every sum fits
    heads: int
    depth: int  # layers in the encoder, and again in the decoder
    vocabulary: int
    max_length: int  # one limit: the mask and the table of places both obey it
    dropout: float = 0.1


class HeadedAttention(nn.Module):
    """Attention with several heads."""

    def __init__(self, config: Config, causal: bool = False):
        super().__init__()
        assert config.width % config.heads == 0
        self.heads = config.heads
        self.per_head = config.width // config.heads
        # Width in, width out: what comes back can be added to what went in.
        self.query_proj = nn.Linear(config.width, config.width, bias=False)
        self.key_proj = nn.Linear(config.width, config.width, bias=False)
        self.value_proj = nn.Linear(config.width, config.width, bias=False)
        self.merge = nn.Linear(config.width, config.width, bias=False)
        self.drop = nn.Dropout(config.dropout)
        self.causal = causal
        if causal:
            # Two leading axes, for the batch and the heads.
            mask = torch.full((1, 1, config.max_length, config.max_length), float("-inf"))
            mask = torch.triu(mask, diagonal=1)
            self.register_buffer("mask", mask)

    def forward(self, query, key, value):
        batch, asked, _ = query.shape
        known = key.shape[1]
        # Project first, then cut into heads; keys and values have a length of their own.
        q, k, v = self.query_proj(query), self.key_proj(key), self.value_proj(value)
        q = q.view(batch, asked, self.heads, self.per_head).transpose(1, 2)
        k = k.view(batch, known, self.heads, self.per_head).transpose(1, 2)
        v = v.view(batch, known, self.heads, self.per_head).transpose(1, 2)
        # One table of scores a head: (batch, head, query, key).
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.per_head)
        if self.causal:
            scores = scores + self.mask[:, :, :asked, :known]
        weights = F.softmax(scores, dim=-1)
        mixed = self.drop(weights) @ v
        # Bring the heads back to the third axis and lay them side by side.
        mixed = mixed.transpose(1, 2).contiguous().view(batch, asked, -1)
        return self.merge(mixed)


class FeedForward(nn.Module):
    """Two linear maps with a bend between them."""

    def __init__(self, width: int, hidden: int, dropout: float):
        super().__init__()
        self.widen = nn.Linear(width, hidden)
        self.narrow = nn.Linear(hidden, width)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        return self.drop(self.narrow(F.gelu(self.widen(x))))


class RowNorm(nn.Module):
    """Every row to mean zero and variance one, then a learnt gain and shift."""

    def __init__(self, width: int, eps: float = 1e-6):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(width))
        self.shift = nn.Parameter(torch.zeros(width))
        self.eps = eps

    def forward(self, x):
        center = x.mean(-1, keepdim=True)
        variance = x.var(-1, unbiased=False, keepdim=True)
        return self.gain * (x - center) / torch.sqrt(variance + self.eps) + self.shift


class EncoderBlock(nn.Module):
    """One layer of the encoder."""

    def __init__(self, config: Config):
        super().__init__()
        self.norm_in = RowNorm(config.width)
        self.attention = HeadedAttention(config)
        self.norm_out = RowNorm(config.width)
        self.feed_forward = FeedForward(config.width, 4 * config.width, config.dropout)

    def forward(self, x):
        calm = self.norm_in(x)
        x = x + self.attention(calm, calm, calm)
        return x + self.feed_forward(self.norm_out(x))


class EncoderStack(nn.Module):
    """The encoder: layer upon layer, and one last norm."""

    def __init__(self, config: Config):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(config) for _ in range(config.depth)])
        self.norm = RowNorm(config.width)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.norm(x)


class DecoderBlock(nn.Module):
    """One layer of the decoder."""

    def __init__(self, config: Config):
        super().__init__()
        self.norm_self = RowNorm(config.width)
        self.self_attention = HeadedAttention(config, causal=True)
        self.norm_cross = RowNorm(config.width)
        self.cross_attention = HeadedAttention(config)
        self.norm_out = RowNorm(config.width)
        self.feed_forward = FeedForward(config.width, 4 * config.width, config.dropout)

    def forward(self, x, memory):
        calm = self.norm_self(x)
        x = x + self.self_attention(calm, calm, calm)
        x = x + self.cross_attention(self.norm_cross(x), memory, memory)
        return x + self.feed_forward(self.norm_out(x))


class DecoderStack(nn.Module):
    """The decoder: every layer sees what the encoder made."""

    def __init__(self, config: Config):
        super().__init__()
        self.blocks = nn.ModuleList([DecoderBlock(config) for _ in range(config.depth)])
        self.norm = RowNorm(config.width)

    def forward(self, x, memory):
        for block in self.blocks:
            x = block(x, memory)
        return self.norm(x)


class SineTable(nn.Module):
    """A table of places, made of sines and cosines."""

    def __init__(self, config: Config):
        super().__init__()
        table = torch.zeros(config.max_length, config.width)
        place = torch.arange(0, config.max_length).unsqueeze(1)
        # The frequency falls by the same factor from one pair of columns to the next.
        rate = torch.exp(torch.arange(0, config.width, 2) * (-math.log(10000.0) / config.width))
        table[:, 0::2] = torch.sin(place * rate)
        # An odd width has one cosine less than it has sines.
        table[:, 1::2] = torch.cos(place * rate[: config.width // 2])
        self.register_buffer("table", table.unsqueeze(0))

    def forward(self, x):
        return x + self.table[:, : x.size(1)]


class Translator(nn.Module):
    """The whole machine."""

    def __init__(self, config: Config):
        super().__init__()
        self.config = config
        self.parts = nn.ModuleDict(
            dict(
                words=nn.Embedding(config.vocabulary, config.width),
                places=SineTable(config),
                drop=nn.Dropout(config.dropout),
                encoder=EncoderStack(config),
                decoder=DecoderStack(config),
            )
        )
        self.head = nn.Linear(config.width, config.vocabulary, bias=False)
        self.apply(self.start_weights)

    def count_weights(self):
        return sum(weight.numel() for weight in self.parameters())

    def start_weights(self, module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, mean=0.0, std=0.02)

    def embed(self, ids):
        # ids has the shape (batch, length)
        batch, length = ids.size()
        assert length <= self.config.max_length, f"at most {self.config.max_length} words, here are {length}"
        return self.parts.drop(self.parts.places(self.parts.words(ids)))

    def forward(self, source, target, answers=None):
        memory = self.parts.encoder(self.embed(source))
        x = self.parts.decoder(self.embed(target), memory)
        if answers is None:
            return self.head(x[:, -1:]), None
        logits = self.head(x)
        loss = F.cross_entropy(logits.flatten(0, 1), answers.flatten(), ignore_index=-1)
        return logits, loss


def run_demo():
    # Save a tokenizer here first; nothing is fetched while the book's code runs.
    tokenizer = AutoTokenizer.from_pretrained(Path("pocket-tokenizer"))
    source = tokenizer("The wind is gentle today", return_tensors="pt")["input_ids"]
    target = source[:, :1]
    config = Config(width=64, heads=4, depth=2, vocabulary=tokenizer.vocab_size, max_length=128)
    model = Translator(config)
    print(f"{model.count_weights()} weights in all")
    logits, _ = model(source, target)
    print(tokenizer.decode(logits.argmax(-1)[0]))


if __name__ == "__main__":
    run_demo()
