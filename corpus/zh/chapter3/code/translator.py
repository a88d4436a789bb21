"""第三章的翻译机：把一串整数编号译成另一串整数编号。"""

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn
from transformers import AutoTokenizer


@dataclass
class Config:
    width: int  # 模型的宽度
    embed_width: int  # 词向量的宽度
    heads: int  # 头的个数
    depth: int  # 编码器与解码器各有几层
    vocabulary: int  # 词表的大小
    max_length: int  # 掩码能盖住的最大长度
    max_positions: int  # 位置表的行数
    dropout: float = 0.1


class HeadedAttention(nn.Module):
    """多头注意力"""

    def __init__(self, config: Config, causal: bool = False):
        super().__init__()
        # 宽度要能平均分给每一个头
        assert config.width % config.heads == 0
        self.heads = config.heads
        self.per_head = config.width // config.heads
        # 三个投影，各自把词向量变成查询、键和值
        self.query_proj = nn.Linear(config.embed_width, config.width, bias=False)
        self.key_proj = nn.Linear(config.embed_width, config.width, bias=False)
        self.value_proj = nn.Linear(config.embed_width, config.width, bias=False)
        self.merge = nn.Linear(config.width, config.width, bias=False)
        self.drop = nn.Dropout(config.dropout)
        self.causal = causal
        if causal:
            # 前面两根轴留给批次和头，靠广播补齐
            mask = torch.full((1, 1, config.max_length, config.max_length), float("-inf"))
            mask = torch.triu(mask, diagonal=1)
            self.register_buffer("mask", mask)

    def forward(self, query, key, value):
        batch, length, _ = query.shape
        # 先投影，再切成头
        q, k, v = self.query_proj(query), self.key_proj(key), self.value_proj(value)
        q = q.view(batch, length, self.heads, self.per_head).transpose(1, 2)
        k = k.view(batch, length, self.heads, self.per_head).transpose(1, 2)
        v = v.view(batch, length, self.heads, self.per_head).transpose(1, 2)
        # 每个头各算各的分数，形状是 (批次, 头, 查询, 键)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.per_head)
        if self.causal:
            scores = scores + self.mask[:, :, :length, :length]
        weights = F.softmax(scores.float(), dim=-1).type_as(q)
        mixed = self.drop(weights) @ v
        # 把头换回第三根轴，再首尾相接
        mixed = mixed.transpose(1, 2).contiguous().view(batch, length, -1)
        return self.merge(mixed)


class FeedForward(nn.Module):
    """前馈网络"""

    def __init__(self, width: int, hidden: int, dropout: float):
        super().__init__()
        self.widen = nn.Linear(width, hidden)
        self.narrow = nn.Linear(hidden, width)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        return self.drop(self.narrow(F.gelu(self.widen(x))))


class RowNorm(nn.Module):
    """按行归一化"""

    def __init__(self, width: int, eps: float = 1e-6):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(width))
        self.shift = nn.Parameter(torch.zeros(width))
        self.eps = eps

    def forward(self, x):
        center = x.mean(-1, keepdim=True)
        spread = x.std(-1, keepdim=True)
        return self.gain * (x - center) / (spread + self.eps) + self.shift


class EncoderBlock(nn.Module):
    """编码器的一层"""

    def __init__(self, config: Config):
        super().__init__()
        self.norm_in = RowNorm(config.embed_width)
        self.attention = HeadedAttention(config)
        self.norm_out = RowNorm(config.embed_width)
        self.feed_forward = FeedForward(config.width, config.width, config.dropout)

    def forward(self, x):
        x = self.norm_in(x)
        x = x + self.attention(x, x, x)
        return x + self.feed_forward(self.norm_out(x))


class EncoderStack(nn.Module):
    """编码器：若干层叠在一起，最后再归一化一次"""

    def __init__(self, config: Config):
        super().__init__()
        self.blocks = nn.ModuleList([EncoderBlock(config) for _ in range(config.depth)])
        self.norm = RowNorm(config.embed_width)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.norm(x)


class DecoderBlock(nn.Module):
    """解码器的一层"""

    def __init__(self, config: Config):
        super().__init__()
        self.norm_self = RowNorm(config.embed_width)
        self.self_attention = HeadedAttention(config, causal=True)
        self.norm_cross = RowNorm(config.embed_width)
        self.cross_attention = HeadedAttention(config)
        self.norm_out = RowNorm(config.embed_width)
        self.feed_forward = FeedForward(config.width, 4 * config.width, config.dropout)

    def forward(self, x, memory):
        calm = self.norm_self(x)
        x = x + self.self_attention(calm, calm, calm)
        x = x + self.cross_attention(self.norm_cross(x), memory, memory)
        return x + self.feed_forward(self.norm_out(x))


class DecoderStack(nn.Module):
    """解码器：每一层都能看到编码器的结果"""

    def __init__(self, config: Config):
        super().__init__()
        self.blocks = nn.ModuleList([DecoderBlock(config) for _ in range(config.depth)])
        self.norm = RowNorm(config.embed_width)

    def forward(self, x, memory):
        for block in self.blocks:
            x = block(x, memory)
        return self.norm(x)


class SineTable(nn.Module):
    """正弦位置表"""

    def __init__(self, config: Config):
        super().__init__()
        table = torch.zeros(config.max_positions, config.embed_width)
        place = torch.arange(0, config.max_positions).unsqueeze(1)
        # 频率随列号按几何级数下降
        rate = torch.exp(torch.arange(0, config.embed_width, 2) * (-math.log(10000.0) / config.embed_width))
        table[:, 0::2] = torch.sin(place * rate)
        table[:, 1::2] = torch.cos(place * rate)
        self.register_buffer("table", table.unsqueeze(0))

    def forward(self, x):
        return x + self.table[:, : x.size(1)]


class Translator(nn.Module):
    """整台翻译机"""

    def __init__(self, config: Config):
        super().__init__()
        self.config = config
        self.parts = nn.ModuleDict(
            dict(
                words=nn.Embedding(config.vocabulary, config.embed_width),
                places=SineTable(config),
                drop=nn.Dropout(config.dropout),
                encoder=EncoderStack(config),
                decoder=DecoderStack(config),
            )
        )
        self.head = nn.Linear(config.embed_width, config.vocabulary, bias=False)
        self.apply(self.start_weights)

    def count_weights(self):
        return sum(weight.numel() for weight in self.parameters())

    def start_weights(self, module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, mean=0.0, std=0.02)

    def forward(self, ids, answers=None):
        # ids 的形状是 (batch, length, 1)
        batch, length = ids.size()
        assert length <= self.config.max_positions, f"最多 {self.config.max_positions} 个词，这里有 {length} 个"
        x = self.parts.drop(self.parts.places(self.parts.words(ids)))
        memory = self.parts.encoder(x)
        print("memory", memory.size())
        x = self.parts.decoder(x, memory)
        if answers is None:
            return self.head(x[:, -1:]), None
        logits = self.head(x)
        loss = F.cross_entropy(logits.flatten(0, 1), answers.flatten(), ignore_index=-1)
        return logits, loss


def run_demo():
    tokenizer = AutoTokenizer.from_pretrained("small-books/pocket-tokenizer")
    ids = tokenizer("今天的风很轻", return_tensors="pt")["input_ids"]
    config = Config(
        width=64,
        embed_width=64,
        heads=4,
        depth=2,
        vocabulary=tokenizer.vocab_size,
        max_length=128,
        max_positions=256,
    )
    model = Translator(config)
    print(f"一共 {model.count_weights()} 个参数")
    logits, _ = model.forward(ids)
    print(tokenizer.decode(logits.argmax(-1)[0]))


if __name__ == "__main__":
    run_demo()
