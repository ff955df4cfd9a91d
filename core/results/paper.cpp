#include "core/results/paper.h"

#include <algorithm>

namespace sextant {

const Paper* find_paper(const std::string& arxiv_id) {
    static const std::vector<Paper> papers = {
        {"2108.12409",
         "Train Short, Test Long: Attention with Linear Biases Enables Input Length Extrapolation",
         "University of Washington / Facebook AI Research",
         {{"training_time_percent", -11.0}, {"memory_percent", -11.0}},
         "WikiText-103 上 1.3B 参数的实验"},
        {"2104.09864",
         "RoFormer: Enhanced Transformer with Rotary Position Embedding",
         "Zhuiyi Technology",
         {{"long_text_classification_improvement", std::string("reported across six tasks")}},
         "中文 RoFormer 预训练"},
        {"1706.03762", "Attention Is All You Need", "Google Brain / Google Research", {}, "机器翻译实验"},
        {"1705.03122", "Convolutional Sequence to Sequence Learning", "Facebook AI Research", {}, "机器翻译实验"},
        {"2203.16634",
         "Transformer Language Models without Positional Encodings Still Learn Positional Information",
         "Tel Aviv University / University of Washington",
         {},
         "大规模语言模型实验"},
        {"2212.10554", "A Length-Extrapolatable Transformer", "Microsoft", {}, "大规模语言模型实验"},
        {"1910.10683",
         "Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer",
         "Google",
         {},
         "T5 预训练"},
        {"2205.09921",
         "KERPLE: Kernelized Relative Positional Embedding for Length Extrapolation",
         "Carnegie Mellon University",
         {},
         "OpenWebText2、GitHub 与 arXiv 实验"},
        {"2212.10356",
         "Dissecting Transformer Length Extrapolation via the Lens of Receptive Field Analysis",
         "Carnegie Mellon University",
         {},
         "大规模语言模型实验"},
        {"2310.04418",
         "Functional Interpolation for Relative Positions Improves Long Context Transformers",
         "Google",
         {},
         "C4 上的长上下文实验"},
    };
    const auto at =
        std::find_if(papers.begin(), papers.end(), [&](const Paper& paper) { return paper.arxiv_id == arxiv_id; });
    return at == papers.end() ? nullptr : &*at;
}

}  // namespace sextant
