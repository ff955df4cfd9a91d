<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>QWidget</name>
    <message>
        <source>masked</source>
        <translation>遮蔽</translation>
    </message>
    <message>
        <source>head %1</source>
        <translation>头 %1</translation>
    </message>
    <message>
        <source>slope %1</source>
        <translation>斜率 %1</translation>
    </message>
    <message>
        <source>e^bias</source>
        <translation>e^偏置</translation>
    </message>
    <message>
        <source>bias</source>
        <translation>偏置</translation>
    </message>
    <message>
        <source>one scale for all heads</source>
        <translation>所有头统一刻度</translation>
    </message>
    <message>
        <source>values below %1 are drawn as %1</source>
        <translation>低于 %1 的值画作 %1</translation>
    </message>
    <message>
        <source>hatched: masked, not in the scale</source>
        <translation>斜线：被遮蔽，不在刻度内</translation>
    </message>
    <message>
        <source>This encoding adds nothing to the scores.</source>
        <translation>此编码不向注意力得分添加任何内容。</translation>
    </message>
    <message>
        <source>naive 2^(−8k/n)</source>
        <translation>朴素规则 2^(−8k/n)</translation>
    </message>
    <message>
        <source>interleave (trained so)</source>
        <translation>交错规则（训练所用）</translation>
    </message>
    <message>
        <source>head, checkpoint order</source>
        <translation>头（检查点顺序）</translation>
    </message>
    <message>
        <source>slope m (log)</source>
        <translation>斜率 m（对数）</translation>
    </message>
    <message>
        <source>Only ALiBi has slopes.</source>
        <translation>只有 ALiBi 有斜率。</translation>
    </message>
    <message>
        <source>half-weight distance ln 2 / m</source>
        <translation>半权重距离 ln 2 / m</translation>
    </message>
    <message>
        <source>tokens (log)</source>
        <translation>词元（对数）</translation>
    </message>
    <message>
        <source>distance, tokens</source>
        <translation>距离（词元）</translation>
    </message>
    <message>
        <source>This encoding has no kernel over distance.</source>
        <translation>此编码没有随距离变化的核函数。</translation>
    </message>
    <message>
        <source>NaN, %1</source>
        <translation>NaN，%1</translation>
    </message>
    <message>
        <source>NaN</source>
        <translation>NaN</translation>
    </message>
    <message>
        <source>infinite</source>
        <translation>无穷</translation>
    </message>
    <message>
        <source>%1: %2 from %3</source>
        <translation>%1：自 %3 起 %2</translation>
    </message>
    <message>
        <source>All values are NaN or infinite.</source>
        <translation>所有值都是 NaN 或无穷。</translation>
    </message>
    <message>
        <source>A logarithmic axis shows only values above 0; there are none.</source>
        <translation>对数轴只显示大于 0 的值；这里没有。</translation>
    </message>
    <message>
        <source>pair %1</source>
        <translation>第 %1 对</translation>
    </message>
    <message>
        <source>position, tokens (log)</source>
        <translation>位置，词元（对数）</translation>
    </message>
    <message>
        <source>angle, turns (log)</source>
        <translation>角度，圈（对数）</translation>
    </message>
    <message>
        <source>one turn</source>
        <translation>一圈</translation>
    </message>
    <message>
        <source>This encoding has no rotating pairs.</source>
        <translation>此编码没有旋转对。</translation>
    </message>
    <message>
        <source>never a full turn in training</source>
        <translation>训练中从未转满一圈</translation>
    </message>
    <message>
        <source>full turn in training</source>
        <translation>训练中转满一圈</translation>
    </message>
    <message>
        <source>pair</source>
        <translation>对</translation>
    </message>
    <message>
        <source>wavelength, tokens (log)</source>
        <translation>波长，词元（对数）</translation>
    </message>
    <message>
        <source>○ never a full turn in training: %1 of %2</source>
        <translation>○ 训练中从未转满一圈：%2 对中的 %1 对</translation>
    </message>
    <message>
        <source>training length %1</source>
        <translation>训练长度 %1</translation>
    </message>
    <message>
        <source>relative upper bound of the score</source>
        <translation>分数的相对上界</translation>
    </message>
    <message>
        <source>Only rotary encodings have this bound.</source>
        <translation>只有旋转编码有此上界。</translation>
    </message>
    <message>
        <source>%1, %2 only</source>
        <translation>%1，仅 %2</translation>
    </message>
    <message>
        <source>evaluation length, tokens (log)</source>
        <translation>评估长度，词元（对数）</translation>
    </message>
    <message>
        <source>%1 (log)</source>
        <translation>%1（对数）</translation>
    </message>
    <message>
        <source>No evaluation by length yet. It is written when a run ends.</source>
        <translation>尚无按长度的评估。运行结束时写入。</translation>
    </message>
    <message>
        <source>odd ones of %1</source>
        <translation>%1 头的奇数项</translation>
    </message>
</context>
<context>
    <name>sextant::ArmDelegate</name>
    <message numerus="yes">
        <source>%n change(s)</source>
        <translation>
            <numerusform>%n 处改动</numerusform>
        </translation>
    </message>
    <message>
        <source>unknown encoding</source>
        <translation>未知编码</translation>
    </message>
</context>
<context>
    <name>sextant::ArmHeader</name>
    <message>
        <source>baseline</source>
        <translation>基线</translation>
    </message>
    <message numerus="yes">
        <source>%n change(s)</source>
        <translation>
            <numerusform>%n 处改动</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sextant::AttentionModel</name>
    <message>
        <source>The forward-pass service wrote an array of another size than it said.</source>
        <translation>前向计算服务写出的数组大小与它声明的不符。</translation>
    </message>
    <message>
        <source>The forward-pass service answered with a torn array.</source>
        <translation>前向计算服务返回的数组不完整。</translation>
    </message>
</context>
<context>
    <name>sextant::AttentionPage</name>
    <message>
        <source>Attention matrix</source>
        <translation>注意力矩阵</translation>
    </message>
    <message>
        <source>query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Attention weights</source>
        <translation>注意力权重</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <source>order: head</source>
        <translation>顺序：头</translation>
    </message>
    <message>
        <source>mean distance</source>
        <translation>平均距离</translation>
    </message>
    <message>
        <source>entropy</source>
        <translation>熵</translation>
    </message>
    <message>
        <source>sink share</source>
        <translation>首词占比</translation>
    </message>
    <message>
        <source>Order of the heads</source>
        <translation>注意力头的顺序</translation>
    </message>
    <message>
        <source>Row of the locked query</source>
        <translation>锁定查询的一行</translation>
    </message>
    <message>
        <source>Click a cell or a token to see its row.</source>
        <translation>点击单元格或词元以查看它所在的行。</translation>
    </message>
    <message>
        <source>distance</source>
        <translation>距离</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Row of a query</source>
        <translation>某个查询的一行</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Text to look at</source>
        <translation>要查看的文本</translation>
    </message>
    <message>
        <source>any text</source>
        <translation>任意文本</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>Term</source>
        <translation>项</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>scores</source>
        <translation>分数</translation>
    </message>
    <message>
        <source>content</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>bias</source>
        <translation>偏置</translation>
    </message>
    <message>
        <source>unrotated</source>
        <translation>未旋转</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>刻度</translation>
    </message>
    <message>
        <source>linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>log</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>秩</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>A−B</source>
        <translation>A−B</translation>
    </message>
    <message>
        <source>Which run</source>
        <translation>哪个运行</translation>
    </message>
    <message>
        <source>Run to compare with</source>
        <translation>用于对比的运行</translation>
    </message>
    <message>
        <source>This cell</source>
        <translation>此单元格</translation>
    </message>
    <message>
        <source>Query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Distance</source>
        <translation>距离</translation>
    </message>
    <message>
        <source>Content</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Bias</source>
        <translation>偏置</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>分数</translation>
    </message>
    <message>
        <source>Weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>Shown</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Masked</source>
        <translation>遮蔽</translation>
    </message>
    <message>
        <source>How to read it</source>
        <translation>如何阅读</translation>
    </message>
    <message>
        <source>A row is one query: its weights over the keys before it, which sum to 1. Scores are content plus bias before the softmax. Hatched cells are the future and are in no statistic. Arrow keys move the locked cell.</source>
        <translation>一行是一个查询：它对此前各键的权重，总和为 1。分数是 softmax 之前的内容加偏置。带斜线的单元格属于未来，不计入任何统计。方向键移动锁定的单元格。</translation>
    </message>
    <message>
        <source>layer %1, head %2</source>
        <translation>第 %1 层，第 %2 头</translation>
    </message>
    <message>
        <source>cell %1, %2</source>
        <translation>单元格 %1, %2</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>%1 s%2</source>
        <translation>%1 s%2</translation>
    </message>
    <message>
        <source>Once upon a time, there was a little girl named Lily. She loved to play outside in the park.</source>
        <translation>Once upon a time, there was a little girl named Lily. She loved to play outside in the park.</translation>
    </message>
    <message>
        <source>The attention could not be computed.</source>
        <translation>无法计算注意力。</translation>
    </message>
    <message>
        <source>Computing the attention.</source>
        <translation>正在计算注意力。</translation>
    </message>
    <message>
        <source>The model is read and the text is run through it once.</source>
        <translation>正在读取模型并让文本通过一次。</translation>
    </message>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n 个词元</numerusform>
        </translation>
    </message>
    <message>
        <source>Attention: %1</source>
        <translation>注意力：%1</translation>
    </message>
    <message>
        <source>%1, layer %2, head %3%4</source>
        <translation>%1，第 %2 层，第 %3 头%4</translation>
    </message>
    <message>
        <source>rows sum to 1</source>
        <translation>每行总和为 1</translation>
    </message>
    <message>
        <source>%1.%2</source>
        <translation>%1.%2</translation>
    </message>
    <message>
        <source>Row of query %1</source>
        <translation>查询 %1 的一行</translation>
    </message>
    <message>
        <source>distance, tokens</source>
        <translation>距离（词元）</translation>
    </message>
    <message>
        <source>%1 cells left out</source>
        <translation>略去 %1 个单元格</translation>
    </message>
    <message>
        <source>Where the text comes from</source>
        <translation>文本来源</translation>
    </message>
    <message>
        <source>probe text</source>
        <translation>探针文本</translation>
    </message>
    <message>
        <source>own text</source>
        <translation>自定文本</translation>
    </message>
    <message>
        <source>corpus</source>
        <translation>语料</translation>
    </message>
    <message>
        <source>Number of the passage</source>
        <translation>片段编号</translation>
    </message>
    <message>
        <source>Tokens of the passage, at most 4096</source>
        <translation>片段的词元数，最多 4096</translation>
    </message>
    <message>
        <source>passage</source>
        <translation>片段</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Scores are content plus bias; weights are their softmax. Unrotated: the content without the rotation of queries and keys.</source>
        <translation>分数是内容加偏置；权重是分数的 softmax。未旋转：查询和键不作旋转时的内容。</translation>
    </message>
    <message>
        <source>matrix</source>
        <translation>矩阵</translation>
    </message>
    <message>
        <source>probes</source>
        <translation>探针</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Range of the colours</source>
        <translation>颜色范围</translation>
    </message>
    <message>
        <source>fixed</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>this head</source>
        <translation>此头</translation>
    </message>
    <message>
        <source>this layer</source>
        <translation>此层</translation>
    </message>
    <message>
        <source>all heads</source>
        <translation>所有头</translation>
    </message>
    <message>
        <source>both runs</source>
        <translation>两个运行</translation>
    </message>
    <message>
        <source>percentile</source>
        <translation>百分位</translation>
    </message>
    <message>
        <source>Lock the range</source>
        <translation>锁定范围</translation>
    </message>
    <message>
        <source>Step of the run to compare with</source>
        <translation>对比运行的步</translation>
    </message>
    <message>
        <source>Open a model...</source>
        <translation>打开模型…</translation>
    </message>
    <message>
        <source>A Hugging Face folder of LLaMA form or a llama2.c file</source>
        <translation>LLaMA 形式的 Hugging Face 文件夹或 llama2.c 文件</translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation>打开模型</translation>
    </message>
    <message>
        <source>Weights (*.safetensors *.bin)</source>
        <translation>权重 (*.safetensors *.bin)</translation>
    </message>
    <message>
        <source>Nothing to show yet.</source>
        <translation>还没有可显示的内容。</translation>
    </message>
    <message>
        <source>head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>sink</source>
        <translation>首词</translation>
    </message>
    <message>
        <source>dist</source>
        <translation>距离</translation>
    </message>
    <message>
        <source>shaded by the weights of the locked query; click locks a row, Shift-click compares</source>
        <translation>底色为锁定查询的权重；点击锁定一行，Shift+点击进行对比</translation>
    </message>
    <message>
        <source>Run the probes to see this.</source>
        <translation>运行探针后显示。</translation>
    </message>
    <message>
        <source>The same text at later positions</source>
        <translation>同一文本移到更后的位置</translation>
    </message>
    <message>
        <source>Accuracy by distance</source>
        <translation>按距离的正确率</translation>
    </message>
    <message>
        <source>Run the probes</source>
        <translation>运行探针</translation>
    </message>
    <message>
        <source>Left: the text is read again with every token k positions later; a relative encoding gives the same weights, whatever k is. Right: small tasks whose answer stands a known distance before, 100 sequences each; the dotted line is what a guess gets.</source>
        <translation>左：将每个词元后移 k 个位置，再读一遍文本；无论 k 为何，相对编码都给出相同的权重。右：答案位于此前已知距离处的小任务，每项 100 条序列；点线为随机猜测的水平。</translation>
    </message>
    <message>
        <source>With the current numbers</source>
        <translation>代入当前数值</translation>
    </message>
    <message>
        <source>This head over training</source>
        <translation>此头随训练的变化</translation>
    </message>
    <message>
        <source>Mean distance over training</source>
        <translation>平均距离随训练的变化</translation>
    </message>
    <message>
        <source>Sink share over training</source>
        <translation>首词占比随训练的变化</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Above</source>
        <translation>超出</translation>
    </message>
    <message>
        <source>%1 s%2, step %3</source>
        <translation>%1 s%2，第 %3 步</translation>
    </message>
    <message>
        <source>this run</source>
        <translation>此运行</translation>
    </message>
    <message>
        <source>first step</source>
        <translation>第一步</translation>
    </message>
    <message>
        <source>same step</source>
        <translation>同一步</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>The corpus could not be read.</source>
        <translation>无法读取语料。</translation>
    </message>
    <message>
        <source>Back to the runs</source>
        <translation>返回运行</translation>
    </message>
    <message>
        <source>This run&apos;s weights are not here.</source>
        <translation>此运行的权重不在这里。</translation>
    </message>
    <message>
        <source>No weights to look into yet.</source>
        <translation>还没有可查看的权重。</translation>
    </message>
    <message>
        <source>The project was copied without its checkpoints. Train a run, or open a model.</source>
        <translation>复制项目时未包含检查点。请训练一个运行，或打开一个模型。</translation>
    </message>
    <message>
        <source>A run writes them when it is paused, stopped or finished, and at each snapshot.</source>
        <translation>运行在暂停、停止或结束时，以及每次快照时写入权重。</translation>
    </message>
    <message>
        <source>B cuts this text into other tokens.</source>
        <translation>B 将此文本切分成不同的词元。</translation>
    </message>
    <message>
        <source>Choose a run or a step as B first.</source>
        <translation>请先选择一个运行或步作为 B。</translation>
    </message>
    <message>
        <source>A %1</source>
        <translation>A %1</translation>
    </message>
    <message>
        <source>A %1   B %2</source>
        <translation>A %1   B %2</translation>
    </message>
    <message>
        <source>A − B</source>
        <translation>A − B</translation>
    </message>
    <message>
        <source>nothing rotates here: equal to content</source>
        <translation>此处没有旋转：与内容相同</translation>
    </message>
    <message>
        <source>mean distance %1, entropy %2, sink share %3</source>
        <translation>平均距离 %1，熵 %2，首词占比 %3</translation>
    </message>
    <message>
        <source>a long text: one head at a time</source>
        <translation>长文本：每次只看一个头</translation>
    </message>
    <message>
        <source>first %1 of %2, one scale</source>
        <translation>%2 个中的前 %1 个，统一刻度</translation>
    </message>
    <message>
        <source>%1 layers × %2, one scale to %3</source>
        <translation>%1 层 × %2 头，统一刻度，上限 %3</translation>
    </message>
    <message>
        <source>distance %1   entropy %2   sink %3 %</source>
        <translation>距离 %1   熵 %2   首词 %3 %</translation>
    </message>
    <message>
        <source>query %1</source>
        <translation>查询 %1</translation>
    </message>
    <message>
        <source>locked</source>
        <translation>已锁定</translation>
    </message>
    <message>
        <source>bias alone</source>
        <translation>仅偏置</translation>
    </message>
    <message>
        <source>%1; thin: query %2 %3</source>
        <translation>%1；细线：查询 %2 %3</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>mean distance, tokens</source>
        <translation>平均距离（词元）</translation>
    </message>
    <message>
        <source>sink share, %</source>
        <translation>首词占比（%）</translation>
    </message>
    <message numerus="yes">
        <source>%n snapshot(s), this text</source>
        <translation>
            <numerusform>%n 个快照，此文本</numerusform>
        </translation>
    </message>
    <message>
        <source>offset %1: %2</source>
        <translation>偏移 %1：%2</translation>
    </message>
    <message>
        <source>offset k, tokens (log)</source>
        <translation>偏移 k，词元（对数）</translation>
    </message>
    <message>
        <source>largest change of a weight (log)</source>
        <translation>权重的最大变化（对数）</translation>
    </message>
    <message>
        <source>rounding</source>
        <translation>舍入</translation>
    </message>
    <message>
        <source>equivariant: only rounding changes; 0 is drawn at 1e-8</source>
        <translation>等变：只有舍入引起的变化；0 画在 1e-8 处</translation>
    </message>
    <message>
        <source>not equivariant: the weights depend on the position itself</source>
        <translation>不等变：权重依赖于位置本身</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>guess, copy</source>
        <translation>随机猜测，copy</translation>
    </message>
    <message>
        <source>distance to the answer, tokens (log)</source>
        <translation>到答案的距离，词元（对数）</translation>
    </message>
    <message>
        <source>right answers, %</source>
        <translation>正确率（%）</translation>
    </message>
    <message>
        <source>100 sequences a point, at the training length</source>
        <translation>每点 100 条序列，按训练长度</translation>
    </message>
    <message>
        <source>%1 cells</source>
        <translation>%1 个单元格</translation>
    </message>
    <message>
        <source>w = e^s / Σ e^s over keys 0–%1</source>
        <translation>w = e^s / Σ e^s，键 0–%1</translation>
    </message>
    <message>
        <source>s = %1</source>
        <translation>s = %1</translation>
    </message>
    <message>
        <source>without the bias: %1</source>
        <translation>不加偏置：%1</translation>
    </message>
</context>
<context>
    <name>sextant::Card</name>
    <message>
        <source>Show the numbers as a table</source>
        <translation>以表格显示数值</translation>
    </message>
    <message>
        <source>%1, numbers</source>
        <translation>%1，数值</translation>
    </message>
</context>
<context>
    <name>sextant::ClosingDialog</name>
    <message>
        <source>A run is training</source>
        <translation>有运行正在训练</translation>
    </message>
    <message>
        <source>A run of %1 is training.</source>
        <translation>%1 的一个运行正在训练。</translation>
    </message>
    <message>
        <source>It can go on without the window; open the project again to watch it. Or it writes a checkpoint and stops, and continues from there when you start it.</source>
        <translation>它可以在没有窗口的情况下继续；再次打开项目即可查看。也可以让它写入检查点后停止，下次启动时从那里继续。</translation>
    </message>
    <message>
        <source>Keep training in the background</source>
        <translation>在后台继续训练</translation>
    </message>
    <message>
        <source>Checkpoint and stop</source>
        <translation>写检查点并停止</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>sextant::ColorBar</name>
    <message>
        <source>Colour bar</source>
        <translation>色条</translation>
    </message>
    <message>
        <source>%1 from %2 to %3</source>
        <translation>%1：%2 到 %3</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>数值</translation>
    </message>
</context>
<context>
    <name>sextant::CommandPalette</name>
    <message>
        <source>Find a command</source>
        <translation>查找命令</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
</context>
<context>
    <name>sextant::Commands</name>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Attention</source>
        <translation>注意力(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Position</source>
        <translation>位置(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>比较(&amp;C)</translation>
    </message>
    <message>
        <source>E&amp;xport</source>
        <translation>导出(&amp;X)</translation>
    </message>
    <message>
        <source>&amp;Window</source>
        <translation>窗口(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;New experiment...</source>
        <translation>新建实验(&amp;N)…</translation>
    </message>
    <message>
        <source>&amp;Open a project...</source>
        <translation>打开项目(&amp;O)…</translation>
    </message>
    <message>
        <source>Open the &amp;sample project</source>
        <translation>打开示例项目(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Edit the experiment</source>
        <translation>编辑实验(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>Save &amp;as...</source>
        <translation>另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>Read the folder &amp;again</source>
        <translation>重新读取文件夹(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Close the project</source>
        <translation>关闭项目(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Copy the chart or table</source>
        <translation>复制图表或表格(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Filter the runs</source>
        <translation>筛选运行(&amp;F)</translation>
    </message>
    <message>
        <source>Find a &amp;command...</source>
        <translation>查找命令(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;Preferences...</source>
        <translation>首选项(&amp;P)…</translation>
    </message>
    <message>
        <source>&amp;Start</source>
        <translation>开始(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Pause or resume</source>
        <translation>暂停或恢复(&amp;P)</translation>
    </message>
    <message>
        <source>Write a &amp;checkpoint</source>
        <translation>写检查点(&amp;C)</translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation>停止(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Duplicate as a variant</source>
        <translation>复制为变体(&amp;D)</translation>
    </message>
    <message>
        <source>Use as the &amp;baseline</source>
        <translation>用作基线(&amp;B)</translation>
    </message>
    <message>
        <source>Show or &amp;hide in the charts</source>
        <translation>在图表中显示或隐藏(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Keep</source>
        <translation>保留(&amp;K)</translation>
    </message>
    <message>
        <source>Move to the &amp;trash</source>
        <translation>移到回收站(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Curves</source>
        <translation>曲线(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Extrapolation</source>
        <translation>外推(&amp;E)</translation>
    </message>
    <message>
        <source>C&amp;ompare</source>
        <translation>比较(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Report</source>
        <translation>报告(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Start page</source>
        <translation>起始页(&amp;S)</translation>
    </message>
    <message>
        <source>Workspace: &amp;Train</source>
        <translation>工作区：训练(&amp;T)</translation>
    </message>
    <message>
        <source>Workspace: &amp;Inspect</source>
        <translation>工作区：检视(&amp;I)</translation>
    </message>
    <message>
        <source>Workspace: Com&amp;pare</source>
        <translation>工作区：比较(&amp;P)</translation>
    </message>
    <message>
        <source>Workspace: Pape&amp;r</source>
        <translation>工作区：论文(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Follow live</source>
        <translation>跟随最新(&amp;F)</translation>
    </message>
    <message>
        <source>Previous stored step</source>
        <translation>上一个存储的步</translation>
    </message>
    <message>
        <source>Next stored step</source>
        <translation>下一个存储的步</translation>
    </message>
    <message>
        <source>&amp;Logarithmic y</source>
        <translation>对数 y 轴(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Smoothing on or off</source>
        <translation>平滑开关(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Zoom to everything</source>
        <translation>缩放到全部(&amp;Z)</translation>
    </message>
    <message>
        <source>Previous layer</source>
        <translation>上一层</translation>
    </message>
    <message>
        <source>Next layer</source>
        <translation>下一层</translation>
    </message>
    <message>
        <source>Previous head</source>
        <translation>上一头</translation>
    </message>
    <message>
        <source>Next head</source>
        <translation>下一头</translation>
    </message>
    <message>
        <source>A, B, A minus B</source>
        <translation>A、B、A 减 B</translation>
    </message>
    <message>
        <source>Next range mode</source>
        <translation>下一个范围模式</translation>
    </message>
    <message>
        <source>Encoding of the selected &amp;arm</source>
        <translation>所选分支的编码(&amp;A)</translation>
    </message>
    <message>
        <source>Copy the &amp;numbers of this view</source>
        <translation>复制此视图的数值(&amp;N)</translation>
    </message>
    <message>
        <source>Copy the table as &amp;LaTeX</source>
        <translation>以 LaTeX 复制表格(&amp;L)</translation>
    </message>
    <message>
        <source>Add a &amp;seed</source>
        <translation>增加种子(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Figure...</source>
        <translation>图(&amp;F)…</translation>
    </message>
    <message>
        <source>&amp;Data as CSV...</source>
        <translation>CSV 数据(&amp;D)…</translation>
    </message>
    <message>
        <source>&amp;Report...</source>
        <translation>报告(&amp;R)…</translation>
    </message>
    <message>
        <source>&amp;Runs</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Inspector</source>
        <translation>检视器(&amp;I)</translation>
    </message>
    <message>
        <source>R&amp;eset the layout</source>
        <translation>重置布局(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Next pane</source>
        <translation>下一个窗格(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Full screen</source>
        <translation>全屏(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Reading guide</source>
        <translation>阅读指南(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Shortcuts</source>
        <translation>快捷键(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;About Sextant</source>
        <translation>关于 Sextant(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Compare with a folder...</source>
        <translation>与文件夹比较(&amp;C)...</translation>
    </message>
    <message>
        <source>Compare with a &amp;log file...</source>
        <translation>与日志文件比较(&amp;L)...</translation>
    </message>
    <message>
        <source>Start s&amp;ooner</source>
        <translation>提前开始(&amp;O)</translation>
    </message>
    <message>
        <source>Start &amp;later</source>
        <translation>推后开始(&amp;L)</translation>
    </message>
    <message>
        <source>Longer half-life</source>
        <translation>延长半衰期</translation>
    </message>
    <message>
        <source>Shorter half-life</source>
        <translation>缩短半衰期</translation>
    </message>
    <message>
        <source>&amp;Outliers in or out of the range</source>
        <translation>范围内包含或排除离群值(&amp;O)</translation>
    </message>
    <message>
        <source>P&amp;in this step</source>
        <translation>固定此步(&amp;I)</translation>
    </message>
</context>
<context>
    <name>sextant::ComparePage</name>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Table as LaTeX</source>
        <translation>LaTeX 表格</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>差值</translation>
    </message>
    <message>
        <source>Paired by seed</source>
        <translation>按种子配对</translation>
    </message>
    <message>
        <source>Difference and its intervals</source>
        <translation>差值及其区间</translation>
    </message>
    <message>
        <source>Fewer than two pairs: no interval.</source>
        <translation>不足两对：没有区间。</translation>
    </message>
    <message>
        <source>What can be said</source>
        <translation>可以得出什么</translation>
    </message>
    <message>
        <source>arm</source>
        <translation>分支</translation>
    </message>
    <message>
        <source>n</source>
        <translation>n</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>perplexity</source>
        <translation>困惑度</translation>
    </message>
    <message>
        <source>sd</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>minus baseline</source>
        <translation>减去基线</translation>
    </message>
    <message>
        <source>p</source>
        <translation>p</translation>
    </message>
    <message>
        <source>All arms</source>
        <translation>全部分支</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Pairs needed</source>
        <translation>所需对数</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>比较族</translation>
    </message>
    <message>
        <source>Noise floor</source>
        <translation>噪声下限</translation>
    </message>
    <message>
        <source>Test text</source>
        <translation>测试文本</translation>
    </message>
    <message>
        <source>How it is tested</source>
        <translation>如何检验</translation>
    </message>
    <message>
        <source>The unit is the seed, always paired: same seed, same batches in both arms. The exact two-sided sign-flip test decides; its interval comes from inverting it. The t interval stands beside it. Only the endpoint declared before the run can carry a claim, after Holm&apos;s correction over the variants.</source>
        <translation>统计单位是种子，始终配对：两个分支使用相同的种子和相同的批次。由精确的双侧符号翻转检验决定；其区间由反演该检验得到，旁边列出 t 区间。只有运行前声明的终点才能支持结论，并对各变体作 Holm 校正。</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>There is nothing to compare yet.</source>
        <translation>还没有可比较的内容。</translation>
    </message>
    <message>
        <source>The comparison cannot be made.</source>
        <translation>无法进行比较。</translation>
    </message>
    <message>
        <source>It appears when a run of the baseline and one of a variant are evaluated.</source>
        <translation>当基线和一个变体各有一个运行完成评估后出现。</translation>
    </message>
    <message>
        <source>declared before the run</source>
        <translation>运行前已声明</translation>
    </message>
    <message>
        <source>exploratory</source>
        <translation>探索性</translation>
    </message>
    <message numerus="yes">
        <source>%n variant(s)</source>
        <translation>
            <numerusform>%n 个变体</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 nats</source>
        <translation>%1 纳特</translation>
    </message>
    <message>
        <source>no identical arms</source>
        <translation>没有相同的分支</translation>
    </message>
    <message>
        <source>± %1 nats sampling error</source>
        <translation>抽样误差 ± %1 纳特</translation>
    </message>
    <message>
        <source>None.</source>
        <translation>无。</translation>
    </message>
    <message>
        <source>s%1</source>
        <translation>s%1</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>same batches, same shared initial weights</source>
        <translation>相同批次，相同的共享初始权重</translation>
    </message>
    <message numerus="yes">
        <source>n = %n pair(s)</source>
        <translation>
            <numerusform>n = %n 对</numerusform>
        </translation>
    </message>
    <message>
        <source>seeds</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>inversion</source>
        <translation>反演</translation>
    </message>
    <message>
        <source>paired t</source>
        <translation>配对 t</translation>
    </message>
    <message>
        <source>%1 minus %2, nats a token (higher is worse)</source>
        <translation>%1 减 %2，纳特/词元（越高越差）</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>no difference</source>
        <translation>无差异</translation>
    </message>
    <message>
        <source>%1 is the same plan under another name: an A/A comparison.</source>
        <translation>%1 是换了名字的同一计划：A/A 比较。</translation>
    </message>
    <message numerus="yes">
        <source>Mean paired difference %1 nats a token over %n pair(s).</source>
        <translation>
            <numerusform>%n 对的平均配对差为每词元 %1 纳特。</numerusform>
        </translation>
    </message>
    <message>
        <source>Exact two-sided sign-flip p = %1, the smallest these pairs can give is %2.</source>
        <translation>精确双侧符号翻转 p = %1，这些对所能给出的最小值为 %2。</translation>
    </message>
    <message numerus="yes">
        <source>After Holm&apos;s correction over %n variant(s): %1.</source>
        <translation>
            <numerusform>对 %n 个变体作 Holm 校正后：%1。</numerusform>
        </translation>
    </message>
    <message>
        <source>Interval from inverting the test: [%1, %2], %3 %.</source>
        <translation>反演检验所得区间：[%1, %2]，%3 %。</translation>
    </message>
    <message>
        <source>Paired t, 95 %: [%1, %2].</source>
        <translation>配对 t，95 %：[%1, %2]。</translation>
    </message>
    <message>
        <source>Not the declared endpoint, so it carries no claim.</source>
        <translation>不是声明的终点，因此不支持任何结论。</translation>
    </message>
    <message numerus="yes">
        <source>%n pair(s) cannot reach p &lt; 0.05.</source>
        <translation>
            <numerusform>%n 对无法达到 p &lt; 0.05。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 are needed.</source>
        <translation>需要 %1 对。</translation>
    </message>
    <message>
        <source>Add a seed</source>
        <translation>增加一个种子</translation>
    </message>
    <message>
        <source>The table is on the clipboard as LaTeX.</source>
        <translation>表格已以 LaTeX 形式放入剪贴板。</translation>
    </message>
    <message>
        <source>measure</source>
        <translation>度量</translation>
    </message>
    <message>
        <source>Choose a row to see its pairs</source>
        <translation>选择一行以查看其配对</translation>
    </message>
    <message>
        <source>Every measure</source>
        <translation>全部度量</translation>
    </message>
    <message>
        <source>%1; all but the first are exploratory</source>
        <translation>%1；除第一项外均为探索性</translation>
    </message>
    <message>
        <source>%1; all are exploratory</source>
        <translation>%1；均为探索性</translation>
    </message>
</context>
<context>
    <name>sextant::ComparisonModel</name>
    <message>
        <source>Logs of other programs hold no test results to pair; their curves stand on the Curves page.</source>
        <translation>其他程序的日志没有可配对的测试结果；其曲线见“曲线”页。</translation>
    </message>
</context>
<context>
    <name>sextant::CurvePlot</name>
    <message>
        <source>Curve plot</source>
        <translation>曲线图</translation>
    </message>
    <message>
        <source>%1 ends at %2</source>
        <translation>%1 终值 %2</translation>
    </message>
    <message>
        <source>Nothing to draw.</source>
        <translation>没有可绘制的内容。</translation>
    </message>
    <message>
        <source>%1 against %2: %3</source>
        <translation>%1 对 %2：%3</translation>
    </message>
    <message numerus="yes">
        <source> and %n more</source>
        <translation>
            <numerusform> 以及另外 %n 条</numerusform>
        </translation>
    </message>
    <message>
        <source>decimated 1:%1</source>
        <translation>抽取 1:%1</translation>
    </message>
</context>
<context>
    <name>sextant::CurveTableModel</name>
    <message>
        <source>series</source>
        <translation>序列</translation>
    </message>
    <message>
        <source>x</source>
        <translation>x</translation>
    </message>
    <message>
        <source>value</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>smoothed</source>
        <translation>平滑值</translation>
    </message>
    <message>
        <source>band from</source>
        <translation>区间带下限</translation>
    </message>
    <message>
        <source>band to</source>
        <translation>区间带上限</translation>
    </message>
</context>
<context>
    <name>sextant::CurvesPage</name>
    <message>
        <source>No points yet. They appear as soon as a run writes them.</source>
        <translation>还没有数据点。运行写入后会立即出现。</translation>
    </message>
    <message>
        <source>Validation loss</source>
        <translation>验证损失</translation>
    </message>
    <message>
        <source>Choose a run at the left.</source>
        <translation>请在左侧选择一个运行。</translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation>梯度范数</translation>
    </message>
    <message>
        <source>variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>n</source>
        <translation>n</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>95 % t</source>
        <translation>95 % t</translation>
    </message>
    <message>
        <source>minus baseline</source>
        <translation>减去基线</translation>
    </message>
    <message>
        <source>relative</source>
        <translation>相对</translation>
    </message>
    <message>
        <source>min – max</source>
        <translation>最小 – 最大</translation>
    </message>
    <message>
        <source>seeds</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>x axis</source>
        <translation>x 轴</translation>
    </message>
    <message>
        <source>linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>log</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>symlog</source>
        <translation>对称对数</translation>
    </message>
    <message>
        <source>y axis</source>
        <translation>y 轴</translation>
    </message>
    <message>
        <source>mean and band</source>
        <translation>均值与区间带</translation>
    </message>
    <message>
        <source>each seed</source>
        <translation>每个种子</translation>
    </message>
    <message>
        <source>How seeds are drawn</source>
        <translation>种子的画法</translation>
    </message>
    <message>
        <source>95 % t interval</source>
        <translation>95 % t 区间</translation>
    </message>
    <message>
        <source>SE</source>
        <translation>标准误</translation>
    </message>
    <message>
        <source>SD</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Type of the band</source>
        <translation>区间带类型</translation>
    </message>
    <message>
        <source>EMA</source>
        <translation>指数平均</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>平滑</translation>
    </message>
    <message>
        <source>Half-life of the smoothing in steps</source>
        <translation>平滑的半衰期（步）</translation>
    </message>
    <message>
        <source>x</source>
        <translation>x</translation>
    </message>
    <message>
        <source>y</source>
        <translation>y</translation>
    </message>
    <message>
        <source>tokens, thousands</source>
        <translation>词元（千）</translation>
    </message>
    <message>
        <source>training time, s</source>
        <translation>训练时间（秒）</translation>
    </message>
    <message>
        <source>%1 s%2 resumed</source>
        <translation>%1 s%2 恢复</translation>
    </message>
    <message>
        <source>validation loss, nats a token</source>
        <translation>验证损失（纳特/词元）</translation>
    </message>
    <message>
        <source>training loss, nats a token</source>
        <translation>训练损失（纳特/词元）</translation>
    </message>
    <message>
        <source>loss, nats a token</source>
        <translation>损失（纳特/词元）</translation>
    </message>
    <message>
        <source>%1 (log)</source>
        <translation>%1（对数）</translation>
    </message>
    <message>
        <source>%1 (symlog)</source>
        <translation>%1（对称对数）</translation>
    </message>
    <message>
        <source>Training loss</source>
        <translation>训练损失</translation>
    </message>
    <message>
        <source>Training loss, validation as points</source>
        <translation>训练损失，验证以点表示</translation>
    </message>
    <message>
        <source>mean of seeds</source>
        <translation>种子均值</translation>
    </message>
    <message>
        <source>mean of seeds, band %1</source>
        <translation>种子均值，区间带 %1</translation>
    </message>
    <message>
        <source>EMA half-life %1 steps</source>
        <translation>指数平均半衰期 %1 步</translation>
    </message>
    <message>
        <source>no smoothing</source>
        <translation>不平滑</translation>
    </message>
    <message>
        <source>%1 s%2</source>
        <translation>%1 s%2</translation>
    </message>
    <message>
        <source>%1, raw and EMA %2 steps</source>
        <translation>%1，原始值与 %2 步指数平均</translation>
    </message>
    <message>
        <source>%1, raw</source>
        <translation>%1，原始值</translation>
    </message>
    <message>
        <source>%1, clip at %2</source>
        <translation>%1，裁剪于 %2</translation>
    </message>
    <message>
        <source>clip %1</source>
        <translation>裁剪 %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>%1%2 %</source>
        <translation>%1%2 %</translation>
    </message>
    <message numerus="yes">
        <source>%n finished</source>
        <translation>
            <numerusform>%n 个完成</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n live</source>
        <translation>
            <numerusform>%n 个进行中</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n queued</source>
        <translation>
            <numerusform>%n 个排队</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n without a result</source>
        <translation>
            <numerusform>%n 个没有结果</numerusform>
        </translation>
    </message>
    <message>
        <source>Values at step %1</source>
        <translation>第 %1 步的数值</translation>
    </message>
    <message>
        <source>training loss</source>
        <translation>训练损失</translation>
    </message>
    <message>
        <source>validation loss</source>
        <translation>验证损失</translation>
    </message>
    <message>
        <source>%1 has %2 of %3 pairs a claim needs.</source>
        <translation>%1 有 %2 对，得出结论需要 %3 对。</translation>
    </message>
    <message>
        <source>With these p = %1 at best.</source>
        <translation>以此最多达到 p = %1。</translation>
    </message>
    <message>
        <source>quantity</source>
        <translation>量</translation>
    </message>
    <message>
        <source>Curves of all arms</source>
        <translation>所有实验臂的曲线</translation>
    </message>
    <message>
        <source>What the large plot shows</source>
        <translation>大图显示的量</translation>
    </message>
    <message>
        <source>Pin this step: it stays marked and gets a column below</source>
        <translation>固定此步：保持标记，并在下方表格中占一列</translation>
    </message>
    <message>
        <source>First plot of the chosen run</source>
        <translation>所选运行的第一幅图</translation>
    </message>
    <message>
        <source>What the upper small plot shows</source>
        <translation>上方小图显示的量</translation>
    </message>
    <message>
        <source>Second plot of the chosen run</source>
        <translation>所选运行的第二幅图</translation>
    </message>
    <message>
        <source>What the lower small plot shows</source>
        <translation>下方小图显示的量</translation>
    </message>
    <message>
        <source>zoom</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>Outliers</source>
        <translation>离群值</translation>
    </message>
    <message>
        <source>Off: the range of y leaves out the outermost 1 % at each end; no point is removed (O)</source>
        <translation>关闭：y 轴范围两端各排除最外侧 1 %；不删除任何点 (O)</translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Band</source>
        <translation>区间带</translation>
    </message>
    <message>
        <source>half-life</source>
        <translation>半衰期</translation>
    </message>
    <message>
        <source>seeds and smoothing</source>
        <translation>种子与平滑</translation>
    </message>
    <message>
        <source>outliers</source>
        <translation>离群值</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>L2 norm before clipping</source>
        <translation>裁剪前的 L2 范数</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>tokens a second</source>
        <translation>词元/秒</translation>
    </message>
    <message>
        <source>both losses</source>
        <translation>两种损失</translation>
    </message>
    <message>
        <source>gradient norm</source>
        <translation>梯度范数</translation>
    </message>
    <message>
        <source>speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>pin</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>These runs say nothing about %1; choose step.</source>
        <translation>这些运行没有关于“%1”的记录；请选择“步”。</translation>
    </message>
    <message>
        <source>range without the outermost 1 %</source>
        <translation>范围不含最外侧 1 %</translation>
    </message>
    <message>
        <source>%1 has no such curve.</source>
        <translation>%1 没有这条曲线。</translation>
    </message>
    <message>
        <source>pin %1</source>
        <translation>固定 %1</translation>
    </message>
    <message>
        <source>EMA of mean</source>
        <translation>均值的 EMA</translation>
    </message>
    <message>
        <source>at pin %1</source>
        <translation>固定步 %1 处</translation>
    </message>
    <message numerus="yes">
        <source>%n read from logs</source>
        <translation>
            <numerusform>%n 个读自日志</numerusform>
        </translation>
    </message>
    <message>
        <source>under the pointer, differences paired by seed</source>
        <translation>指针处，差值按种子配对</translation>
    </message>
    <message>
        <source>differences paired by seed</source>
        <translation>差值按种子配对</translation>
    </message>
</context>
<context>
    <name>sextant::EditorPage</name>
    <message>
        <source>Experiment as JSON</source>
        <translation>JSON 形式的实验</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>Name of the experiment</source>
        <translation>实验名称</translation>
    </message>
    <message>
        <source>from preset</source>
        <translation>来自预设</translation>
    </message>
    <message>
        <source>Preset to begin from</source>
        <translation>作为起点的预设</translation>
    </message>
    <message>
        <source>field</source>
        <translation>字段</translation>
    </message>
    <message>
        <source>Filter the fields</source>
        <translation>筛选字段</translation>
    </message>
    <message>
        <source>All fields</source>
        <translation>全部字段</translation>
    </message>
    <message>
        <source>What differs</source>
        <translation>只看差异</translation>
    </message>
    <message>
        <source>Which fields are shown</source>
        <translation>显示哪些字段</translation>
    </message>
    <message>
        <source>Form</source>
        <translation>表单</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>Form or JSON</source>
        <translation>表单或 JSON</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Arms</source>
        <translation>分支</translation>
    </message>
    <message>
        <source>Add a variant</source>
        <translation>添加变体</translation>
    </message>
    <message>
        <source>Rename the arm</source>
        <translation>重命名分支</translation>
    </message>
    <message>
        <source>Duplicate the arm</source>
        <translation>复制分支</translation>
    </message>
    <message>
        <source>Remove the variant</source>
        <translation>移除变体</translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Seeds, separated by commas</source>
        <translation>种子，用逗号分隔</translation>
    </message>
    <message>
        <source>Primary endpoint</source>
        <translation>主要终点</translation>
    </message>
    <message>
        <source>Fixed before the run. Everything else is exploratory.</source>
        <translation>在运行前确定。其余均为探索性。</translation>
    </message>
    <message>
        <source>Variant of the primary contrast</source>
        <translation>主要对比的变体</translation>
    </message>
    <message>
        <source>Project folder</source>
        <translation>项目文件夹</translation>
    </message>
    <message>
        <source>Choose...</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Next problem (F8)</source>
        <translation>下一个问题 (F8)</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>No such preset.</source>
        <translation>没有这个预设。</translation>
    </message>
    <message>
        <source>Folder for the project</source>
        <translation>项目文件夹</translation>
    </message>
    <message>
        <source>This is not an experiment yet.</source>
        <translation>这还不是一个实验。</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>none declared</source>
        <translation>未声明</translation>
    </message>
    <message numerus="yes">
        <source>%n pair(s) can reach p = %1; enough for a claim.</source>
        <translation>
            <numerusform>%n 对可达到 p = %1；足以得出结论。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pair(s) can reach p = %1 at best; a claim needs %2.</source>
        <translation>
            <numerusform>%n 对最多达到 p = %1；得出结论需要 %2 对。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Use %n seeds</source>
        <translation>
            <numerusform>使用 %n 个种子</numerusform>
        </translation>
    </message>
    <message>
        <source>No endpoint is declared: no result can carry a claim.</source>
        <translation>未声明终点：任何结果都不能支持结论。</translation>
    </message>
    <message>
        <source>%1 at %2, %3: %4</source>
        <translation>%1，长度 %2，%3：%4</translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n 个问题</numerusform>
        </translation>
    </message>
    <message>
        <source>No problems</source>
        <translation>没有问题</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n 个运行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n variant(s) against the baseline</source>
        <translation>
            <numerusform>%n 个变体对比基线</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Queue %n run(s)</source>
        <translation>
            <numerusform>排队 %n 个运行</numerusform>
        </translation>
    </message>
    <message>
        <source>Mend the problems first; saving works as it is.</source>
        <translation>请先解决问题；保存不受影响。</translation>
    </message>
</context>
<context>
    <name>sextant::EngineClient</name>
    <message>
        <source>sextant-cli was not found; install it or set SEXTANT_CLI.</source>
        <translation>找不到 sextant-cli；请安装它或设置 SEXTANT_CLI。</translation>
    </message>
    <message>
        <source>The project was closed before the answer came.</source>
        <translation>在得到回答之前项目已关闭。</translation>
    </message>
    <message>
        <source>The forward-pass service ended twice while answering.</source>
        <translation>前向计算服务在回答时两次退出。</translation>
    </message>
    <message>
        <source>The forward-pass service (sextant-cli serve) does not start.</source>
        <translation>前向计算服务（sextant-cli serve）无法启动。</translation>
    </message>
</context>
<context>
    <name>sextant::EstimatePanel</name>
    <message>
        <source>Estimate</source>
        <translation>估算</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>规模</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Memory and disk</source>
        <translation>内存与磁盘</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>Fairness</source>
        <translation>公平性</translation>
    </message>
    <message>
        <source>See it on the Position page</source>
        <translation>在位置页查看</translation>
    </message>
    <message>
        <source>known once no problem stands</source>
        <translation>解决全部问题后可知</translation>
    </message>
    <message>
        <source>%1 a run, %2 free</source>
        <translation>每个运行 %1，可用 %2</translation>
    </message>
    <message>
        <source>%1 a run</source>
        <translation>每个运行 %1</translation>
    </message>
    <message>
        <source>trained parameters of %1</source>
        <translation>%1 的可训练参数</translation>
    </message>
    <message>
        <source>The sizes of %1 make no model yet.</source>
        <translation>%1 的尺寸还不能构成模型。</translation>
    </message>
    <message>
        <source>%1 arms × %2 seeds</source>
        <translation>%1 个分支 × %2 个种子</translation>
    </message>
    <message>
        <source>%1 each</source>
        <translation>每个 %1</translation>
    </message>
    <message>
        <source>equal parameters</source>
        <translation>参数数量相等</translation>
    </message>
    <message>
        <source>parameter counts differ</source>
        <translation>参数数量不同</translation>
    </message>
    <message>
        <source>equal tokens and batch order</source>
        <translation>词元与批次顺序相等</translation>
    </message>
    <message>
        <source>the arms train on different budgets</source>
        <translation>各分支的训练预算不同</translation>
    </message>
    <message>
        <source>only the encoding differs</source>
        <translation>仅编码不同</translation>
    </message>
    <message>
        <source>more than the encoding differs</source>
        <translation>不只编码不同</translation>
    </message>
    <message>
        <source>About %1</source>
        <translation>关于 %1</translation>
    </message>
    <message>
        <source>About</source>
        <translation>关于</translation>
    </message>
    <message>
        <source>The encoding&apos;s name is not in the catalog.</source>
        <translation>该编码不在目录中。</translation>
    </message>
</context>
<context>
    <name>sextant::ExperimentFields</name>
    <message>
        <source>Encoding</source>
        <translation>编码</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Evaluation</source>
        <translation>评估</translation>
    </message>
    <message>
        <source>Which position encoding the arm uses.</source>
        <translation>该分支使用哪种位置编码。</translation>
    </message>
    <message>
        <source>Width of the residual stream.</source>
        <translation>残差流的宽度。</translation>
    </message>
    <message>
        <source>Number of blocks.</source>
        <translation>块的数量。</translation>
    </message>
    <message>
        <source>Attention heads; must divide d_model.</source>
        <translation>注意力头数；必须整除 d_model。</translation>
    </message>
    <message>
        <source>Key and value heads; must divide n_head.</source>
        <translation>键值头数；必须整除 n_head。</translation>
    </message>
    <message>
        <source>Width of the SwiGLU layer.</source>
        <translation>SwiGLU 层的宽度。</translation>
    </message>
    <message>
        <source>Training length in tokens.</source>
        <translation>训练长度（词元）。</translation>
    </message>
    <message>
        <source>The head reuses the token embedding.</source>
        <translation>输出层复用词元嵌入。</translation>
    </message>
    <message>
        <source>Share of activations dropped in training.</source>
        <translation>训练中丢弃的激活比例。</translation>
    </message>
    <message>
        <source>Keys a query may see, itself included; 0 means all.</source>
        <translation>查询可见的键数（含自身）；0 表示全部。</translation>
    </message>
    <message>
        <source>AdamW, or Muon for the hidden matrices.</source>
        <translation>AdamW，或对隐藏层矩阵使用 Muon。</translation>
    </message>
    <message>
        <source>Peak learning rate.</source>
        <translation>学习率峰值。</translation>
    </message>
    <message>
        <source>Decay of the two moments.</source>
        <translation>两个矩的衰减系数。</translation>
    </message>
    <message>
        <source>Decay of hidden and embedding matrices.</source>
        <translation>隐藏层与嵌入矩阵的权重衰减。</translation>
    </message>
    <message>
        <source>How the learning rate moves.</source>
        <translation>学习率的变化方式。</translation>
    </message>
    <message>
        <source>Steps of linear warm-up.</source>
        <translation>线性预热的步数。</translation>
    </message>
    <message>
        <source>Last learning rate over the peak.</source>
        <translation>最终学习率与峰值之比。</translation>
    </message>
    <message>
        <source>Largest norm of the gradient; 0 means none.</source>
        <translation>梯度的最大范数；0 表示不裁剪。</translation>
    </message>
    <message>
        <source>Windows a step.</source>
        <translation>每步的窗口数。</translation>
    </message>
    <message>
        <source>Optimizer steps.</source>
        <translation>优化器步数。</translation>
    </message>
    <message>
        <source>Processor threads; 0 means automatic.</source>
        <translation>处理器线程数；0 表示自动。</translation>
    </message>
    <message>
        <source>Where to train.</source>
        <translation>在哪里训练。</translation>
    </message>
    <message>
        <source>Implementation of the model.</source>
        <translation>模型的实现。</translation>
    </message>
    <message>
        <source>Number format of matrix products.</source>
        <translation>矩阵乘法的数值格式。</translation>
    </message>
    <message>
        <source>Steps between points of the training loss.</source>
        <translation>训练损失记录点之间的步数。</translation>
    </message>
    <message>
        <source>Steps between validation losses; 0 means only at the end.</source>
        <translation>两次验证损失之间的步数；0 表示仅在结束时。</translation>
    </message>
    <message>
        <source>Steps between checkpoints; 0 means only at the end.</source>
        <translation>两次检查点之间的步数；0 表示仅在结束时。</translation>
    </message>
    <message>
        <source>Steps between attention snapshots; 0 means none.</source>
        <translation>两次注意力快照之间的步数；0 表示不保存。</translation>
    </message>
    <message>
        <source>The built-in stories, a WikiText folder, text files or JSON Lines.</source>
        <translation>内置故事、WikiText 文件夹、文本文件或 JSON Lines。</translation>
    </message>
    <message>
        <source>Folder of the WikiText files.</source>
        <translation>WikiText 文件所在的文件夹。</translation>
    </message>
    <message>
        <source>Training file.</source>
        <translation>训练文件。</translation>
    </message>
    <message>
        <source>Validation file.</source>
        <translation>验证文件。</translation>
    </message>
    <message>
        <source>Test file.</source>
        <translation>测试文件。</translation>
    </message>
    <message>
        <source>Entries of the byte-pair vocabulary.</source>
        <translation>字节对词表的条目数。</translation>
    </message>
    <message>
        <source>Tokens trained on.</source>
        <translation>训练所用词元数。</translation>
    </message>
    <message>
        <source>Tokens of the validation split.</source>
        <translation>验证集的词元数。</translation>
    </message>
    <message>
        <source>Tokens of the test split.</source>
        <translation>测试集的词元数。</translation>
    </message>
    <message>
        <source>Lengths to evaluate at, in tokens.</source>
        <translation>评估长度，以词元计。</translation>
    </message>
    <message>
        <source>non-overlapping, sliding, cold-start.</source>
        <translation>non-overlapping（不重叠）、sliding（滑动）、cold-start（冷启动）。</translation>
    </message>
    <message>
        <source>Targets a sliding window scores.</source>
        <translation>每个滑动窗口计分的目标数。</translation>
    </message>
    <message>
        <source>Targets scored at every length; divisible by every length.</source>
        <translation>每个长度计分的目标数；须能被每个长度整除。</translation>
    </message>
    <message>
        <source>Also the loss at each position.</source>
        <translation>同时给出每个位置的损失。</translation>
    </message>
    <message>
        <source>Text whose attention is kept with each snapshot.</source>
        <translation>随每个快照保存其注意力的文本。</translation>
    </message>
</context>
<context>
    <name>sextant::ExperimentModel</name>
    <message>
        <source>edit the JSON</source>
        <translation>编辑 JSON</translation>
    </message>
    <message>
        <source>name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>seeds</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>rename %1</source>
        <translation>重命名 %1</translation>
    </message>
    <message>
        <source>add %1</source>
        <translation>添加 %1</translation>
    </message>
    <message>
        <source>duplicate %1</source>
        <translation>复制 %1</translation>
    </message>
    <message>
        <source>remove %1</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>set %1</source>
        <translation>设置 %1</translation>
    </message>
</context>
<context>
    <name>sextant::ExperimentTable</name>
    <message>
        <source>%1 parameters in every arm</source>
        <translation>每个分支 %1 个参数</translation>
    </message>
    <message>
        <source>%1 parameters in the baseline</source>
        <translation>基线有 %1 个参数</translation>
    </message>
    <message>
        <source>%1 tokens in every arm</source>
        <translation>每个分支 %1 个词元</translation>
    </message>
    <message>
        <source>%1 tokens in the baseline</source>
        <translation>基线 %1 个词元</translation>
    </message>
    <message>
        <source>the same for every arm</source>
        <translation>各分支相同</translation>
    </message>
    <message>
        <source>head_dim %1</source>
        <translation>head_dim %1</translation>
    </message>
    <message>
        <source>%1 of %2: %3</source>
        <translation>%2 的 %1：%3</translation>
    </message>
    <message>
        <source>field</source>
        <translation>字段</translation>
    </message>
</context>
<context>
    <name>sextant::ExperimentView</name>
    <message>
        <source>Fields of every arm</source>
        <translation>各分支的字段</translation>
    </message>
</context>
<context>
    <name>sextant::ExportDialog</name>
    <message>
        <source>Export figure</source>
        <translation>导出图</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>图</translation>
    </message>
    <message>
        <source>as the page shows it</source>
        <translation>如页面所示</translation>
    </message>
    <message>
        <source>Venue</source>
        <translation>会议</translation>
    </message>
    <message>
        <source>free size</source>
        <translation>自由尺寸</translation>
    </message>
    <message>
        <source> in</source>
        <translation> 英寸</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>高</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文字</translation>
    </message>
    <message>
        <source> pt</source>
        <translation> pt</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>light, for paper</source>
        <translation>浅色，用于论文</translation>
    </message>
    <message>
        <source>dark, for slides</source>
        <translation>深色，用于幻灯片</translation>
    </message>
    <message>
        <source>PNG resolution</source>
        <translation>PNG 分辨率</translation>
    </message>
    <message>
        <source> dpi</source>
        <translation> dpi</translation>
    </message>
    <message>
        <source>Formats</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>As PNG, SVG and a table</source>
        <translation>以 PNG、SVG 和表格形式</translation>
    </message>
    <message>
        <source>True size</source>
        <translation>实际大小</translation>
    </message>
    <message>
        <source>Seen as</source>
        <translation>查看方式</translation>
    </message>
    <message>
        <source>in colour</source>
        <translation>彩色</translation>
    </message>
    <message>
        <source>printed in grey</source>
        <translation>灰度打印</translation>
    </message>
    <message>
        <source>without red cones</source>
        <translation>缺红色视锥</translation>
    </message>
    <message>
        <source>without green cones</source>
        <translation>缺绿色视锥</translation>
    </message>
    <message>
        <source>without blue cones</source>
        <translation>缺蓝色视锥</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>%1 (from the records)</source>
        <translation>%1（由记录生成）</translation>
    </message>
    <message>
        <source>The series can be told apart in grey and by colour-blind readers.</source>
        <translation>各曲线在灰度下以及对色盲读者均可区分。</translation>
    </message>
    <message>
        <source>Some series look alike in grey or to colour-blind readers: hide some, or name them in the caption.</source>
        <translation>部分曲线在灰度下或对色盲读者相似：请隐藏一些，或在图注中说明。</translation>
    </message>
    <message>
        <source>Copied as PNG, SVG and a table.</source>
        <translation>已复制为 PNG、SVG 和表格。</translation>
    </message>
    <message>
        <source>A name without folders and at least one format are needed.</source>
        <translation>需要不含文件夹的名称和至少一种格式。</translation>
    </message>
    <message>
        <source>The figure was not saved.</source>
        <translation>图没有保存。</translation>
    </message>
    <message>
        <source>%1 exists already.</source>
        <translation>%1 已存在。</translation>
    </message>
    <message>
        <source>Overwrite</source>
        <translation>覆盖</translation>
    </message>
    <message>
        <source>Write beside it</source>
        <translation>另存于旁</translation>
    </message>
    <message>
        <source>Keep what exists</source>
        <translation>保留现有文件</translation>
    </message>
</context>
<context>
    <name>sextant::ExtrapolationPage</name>
    <message>
        <source>perplexity</source>
        <translation>困惑度</translation>
    </message>
    <message>
        <source>loss, nats</source>
        <translation>损失（纳特）</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>度量</translation>
    </message>
    <message>
        <source>linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>log</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>y axis</source>
        <translation>y 轴</translation>
    </message>
    <message>
        <source>95 % t interval</source>
        <translation>95 % t 区间</translation>
    </message>
    <message>
        <source>SE</source>
        <translation>标准误</translation>
    </message>
    <message>
        <source>SD</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>min – max</source>
        <translation>最小 – 最大</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Type of the band</source>
        <translation>区间带类型</translation>
    </message>
    <message>
        <source>Band</source>
        <translation>区间带</translation>
    </message>
    <message>
        <source>No run was evaluated yet. A run is evaluated when its training ends.</source>
        <translation>还没有运行被评估。训练结束后会进行评估。</translation>
    </message>
    <message>
        <source>Non-overlapping windows</source>
        <translation>不重叠窗口</translation>
    </message>
    <message>
        <source>Extrapolation, non-overlapping windows</source>
        <translation>外推，不重叠窗口</translation>
    </message>
    <message>
        <source>Sliding windows</source>
        <translation>滑动窗口</translation>
    </message>
    <message>
        <source>Extrapolation, sliding windows</source>
        <translation>外推，滑动窗口</translation>
    </message>
    <message>
        <source>Loss by position</source>
        <translation>按位置的损失</translation>
    </message>
    <message>
        <source>variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Perplexity</source>
        <translation>困惑度</translation>
    </message>
    <message>
        <source>Point</source>
        <translation>数据点</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>Non-overl.</source>
        <translation>不重叠</translation>
    </message>
    <message>
        <source>Sliding</source>
        <translation>滑动</translation>
    </message>
    <message>
        <source>Gap, sliding</source>
        <translation>差距（滑动）</translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Protocol</source>
        <translation>评估方案</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Position page</source>
        <translation>位置页</translation>
    </message>
    <message>
        <source>Attention page</source>
        <translation>注意力页</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <translation>%1，长度 %2</translation>
    </message>
    <message>
        <source>context grows from 0 inside a window</source>
        <translation>窗口内上下文从 0 增长</translation>
    </message>
    <message>
        <source>stride %1, every target has a full context</source>
        <translation>步幅 %1，每个目标都有完整上下文</translation>
    </message>
    <message>
        <source>every target has a full context</source>
        <translation>每个目标都有完整上下文</translation>
    </message>
    <message>
        <source>evaluation length, tokens (log)</source>
        <translation>评估长度，词元（对数）</translation>
    </message>
    <message>
        <source>perplexity (log)</source>
        <translation>困惑度（对数）</translation>
    </message>
    <message>
        <source>loss, nats a token (log)</source>
        <translation>损失，纳特/词元（对数）</translation>
    </message>
    <message>
        <source>loss, nats a token</source>
        <translation>损失（纳特/词元）</translation>
    </message>
    <message>
        <source>training length %1</source>
        <translation>训练长度 %1</translation>
    </message>
    <message>
        <source>N = %1</source>
        <translation>N = %1</translation>
    </message>
    <message>
        <source>(small N)</source>
        <translation>（N 较小）</translation>
    </message>
    <message numerus="yes">
        <source>mean of %n seed(s)</source>
        <translation>
            <numerusform>%n 个种子的均值</numerusform>
        </translation>
    </message>
    <message>
        <source>band %1</source>
        <translation>区间带 %1</translation>
    </message>
    <message>
        <source>one seed</source>
        <translation>一个种子</translation>
    </message>
    <message>
        <source>No run recorded its loss by position (evaluation.by_position).</source>
        <translation>没有运行记录按位置的损失（evaluation.by_position）。</translation>
    </message>
    <message>
        <source>windows of %1</source>
        <translation>窗口长度 %1</translation>
    </message>
    <message>
        <source>gap, nats</source>
        <translation>差距（纳特）</translation>
    </message>
    <message>
        <source>holds to</source>
        <translation>保持到</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>The modes disagree for %1 at %2: %3 non-overlapping, %4 sliding.</source>
        <translation>%1 在长度 %2 处两种方式不一致：不重叠 %3，滑动 %4。</translation>
    </message>
    <message>
        <source>Targets early in a non-overlapping window see little context; sliding windows give all of them a full one.</source>
        <translation>不重叠窗口靠前的目标几乎没有上下文；滑动窗口让每个目标都有完整上下文。</translation>
    </message>
    <message>
        <source>%1 = %2 × %3</source>
        <translation>%1 = %2 × %3</translation>
    </message>
    <message>
        <source>%1%2 nats</source>
        <translation>%1%2 纳特</translation>
    </message>
    <message>
        <source>One set of %1 targets is scored at every length, in every mode, for every arm.</source>
        <translation>同一组 %1 个目标在每个长度、每种方式、每个分支上评分。</translation>
    </message>
    <message>
        <source>No evaluation was recorded yet.</source>
        <translation>还没有评估记录。</translation>
    </message>
    <message>
        <source>No band is drawn.</source>
        <translation>未绘制区间带。</translation>
    </message>
    <message>
        <source>%1 of the loss over seeds%2. The test text&apos;s own sampling error is not in it.</source>
        <translation>种子间损失的%1%2。不含测试文本自身的抽样误差。</translation>
    </message>
    <message>
        <source>, drawn as perplexity</source>
        <translation>，以困惑度绘制</translation>
    </message>
    <message>
        <source>change of the loss</source>
        <translation>损失变化</translation>
    </message>
    <message>
        <source>both</source>
        <translation>两者</translation>
    </message>
    <message>
        <source>non-overlapping</source>
        <translation>不重叠</translation>
    </message>
    <message>
        <source>sliding</source>
        <translation>滑动</translation>
    </message>
    <message>
        <source>Modes</source>
        <translation>方式</translation>
    </message>
    <message>
        <source>Published tables</source>
        <translation>已发表数据</translation>
    </message>
    <message>
        <source>Faint curves of the papers, only as the change of the loss from the training length: their corpora and models are others.</source>
        <translation>论文数据以淡色曲线绘制，且只在显示相对训练长度的损失变化时绘制：其语料和模型与此不同。</translation>
    </message>
    <message>
        <source>A passage of the corpus as long as the chosen length, in the chosen run</source>
        <translation>在所选运行中查看语料里与所选长度等长的片段</translation>
    </message>
    <message>
        <source>%1, published</source>
        <translation>%1，已发表</translation>
    </message>
    <message>
        <source>evaluation length over training length (log)</source>
        <translation>评估长度 / 训练长度（对数）</translation>
    </message>
    <message>
        <source>%1×</source>
        <translation>%1×</translation>
    </message>
    <message>
        <source>loss minus loss at the training length, nats</source>
        <translation>损失减去训练长度处的损失（纳特）</translation>
    </message>
    <message>
        <source>faint: %1 (WikiText-103, trained at 512); </source>
        <translation>淡色：%1（WikiText-103，训练长度 512）； </translation>
    </message>
    <message>
        <source>position in the window, tokens</source>
        <translation>窗口内位置（词元）</translation>
    </message>
    <message>
        <source>; holds to: longest length with a gap of at most 0.05 nats</source>
        <translation>；保持到：差距不超过 0.05 纳特的最大长度</translation>
    </message>
    <message>
        <source>Attention at %1</source>
        <translation>注意力，长度 %1</translation>
    </message>
    <message>
        <source>s%1 %2</source>
        <translation>s%1 %2</translation>
    </message>
    <message>
        <source>sliding: %1</source>
        <translation>滑动：%1</translation>
    </message>
    <message>
        <source>Attention at %1 tokens</source>
        <translation>注意力，%1 个词元</translation>
    </message>
</context>
<context>
    <name>sextant::HeatmapGrid</name>
    <message>
        <source>Matrix grid</source>
        <translation>矩阵网格</translation>
    </message>
    <message numerus="yes">
        <source>%n matrices on one scale</source>
        <translation>
            <numerusform>%n 个矩阵，统一刻度</numerusform>
        </translation>
    </message>
    <message>
        <source>key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>layer %1, head %2</source>
        <translation>第 %1 层，第 %2 头</translation>
    </message>
</context>
<context>
    <name>sextant::HeatmapView</name>
    <message>
        <source>query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Matrix</source>
        <translation>矩阵</translation>
    </message>
    <message>
        <source>%1 by %2 values from %3 to %4</source>
        <translation>%1 × %2 个值，从 %3 到 %4</translation>
    </message>
    <message>
        <source>%1 %2%3, %4 %5%6</source>
        <translation>%1 %2%3，%4 %5%6</translation>
    </message>
    <message>
        <source>%1: masked</source>
        <translation>%1：已掩蔽</translation>
    </message>
</context>
<context>
    <name>sextant::InlineBar</name>
    <message>
        <source>Close this message</source>
        <translation>关闭此消息</translation>
    </message>
</context>
<context>
    <name>sextant::MainWindow</name>
    <message>
        <source>Find a command  Ctrl+K</source>
        <translation>查找命令  Ctrl+K</translation>
    </message>
    <message>
        <source>Find a command</source>
        <translation>查找命令</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>Edit baseline, variants and seeds</source>
        <translation>编辑基线、变体和种子</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Inspect</source>
        <translation>检视</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Paper</source>
        <translation>论文</translation>
    </message>
    <message>
        <source>Workspace</source>
        <translation>工作区</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检视器</translation>
    </message>
    <message>
        <source>The project cannot be opened.</source>
        <translation>无法打开项目。</translation>
    </message>
    <message>
        <source>The experiment was not saved.</source>
        <translation>实验未保存。</translation>
    </message>
    <message>
        <source>experiment saved</source>
        <translation>实验已保存</translation>
    </message>
    <message>
        <source>Sextant</source>
        <translation>Sextant</translation>
    </message>
    <message>
        <source>%1 – Sextant</source>
        <translation>%1 – Sextant</translation>
    </message>
    <message numerus="yes">
        <source>CPU, %n thread(s)</source>
        <translation>
            <numerusform>CPU，%n 线程</numerusform>
        </translation>
    </message>
    <message>
        <source>snapshot every %1</source>
        <translation>每 %1 步快照</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>nothing to copy on this page</source>
        <translation>此页没有可复制的内容</translation>
    </message>
    <message>
        <source>copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Open a project</source>
        <translation>打开项目</translation>
    </message>
    <message>
        <source>Folder for the project</source>
        <translation>项目文件夹</translation>
    </message>
    <message>
        <source>no run is training</source>
        <translation>没有运行在训练</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) asked for a checkpoint</source>
        <translation>
            <numerusform>已要求 %n 个运行写检查点</numerusform>
        </translation>
    </message>
    <message>
        <source>this page has no such view</source>
        <translation>此页没有这种视图</translation>
    </message>
    <message>
        <source>Reading guide</source>
        <translation>阅读指南</translation>
    </message>
    <message>
        <source>Left are runs, in the middle their views, right the properties of what is chosen, below the step that all views share. A number is never shown without its unit and n; a band always says its type. Hatched cells were not computed. One seed never names a winner.</source>
        <translation>左侧是运行，中间是它们的视图，右侧是所选对象的属性，下方是所有视图共享的步。数字总是带有单位和 n；区间带总是注明类型。带斜线的单元格未被计算。单个种子从不评出优胜者。</translation>
    </message>
    <message>
        <source>About Sextant</source>
        <translation>关于 Sextant</translation>
    </message>
    <message>
        <source>Sextant %1, commit %2, Qt %3.
A desktop laboratory for position encodings.
GPL-3.0-or-later.</source>
        <translation>Sextant %1，提交 %2，Qt %3。
位置编码的桌面实验室。
GPL-3.0-or-later。</translation>
    </message>
    <message>
        <source>Training writes a checkpoint and stops. Start continues from there.</source>
        <translation>训练会写入检查点并停止。“开始”将从那里继续。</translation>
    </message>
    <message>
        <source>Stop training</source>
        <translation>停止训练</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>asked to stop</source>
        <translation>已要求停止</translation>
    </message>
    <message>
        <source>no run is chosen</source>
        <translation>未选择运行</translation>
    </message>
    <message>
        <source>a training run cannot go to the trash</source>
        <translation>正在训练的运行不能移到回收站</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) moved to the trash; Ctrl+Z brings them back</source>
        <translation>
            <numerusform>%n 个运行已移到回收站；Ctrl+Z 可恢复</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) are marked “keep” and stayed</source>
        <translation>
            <numerusform>%n 个运行标记为“保留”，未移动</numerusform>
        </translation>
    </message>
    <message>
        <source>this page has no figure</source>
        <translation>此页没有图</translation>
    </message>
    <message>
        <source>saved %1</source>
        <translation>已保存 %1</translation>
    </message>
    <message>
        <source>Save all points</source>
        <translation>保存全部数据点</translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation>CSV (*.csv)</translation>
    </message>
    <message>
        <source>The data were not saved.</source>
        <translation>数据未保存。</translation>
    </message>
    <message>
        <source>The sample cannot be opened.</source>
        <translation>无法打开示例。</translation>
    </message>
    <message>
        <source>copied as picture and table</source>
        <translation>已复制为图片和表格</translation>
    </message>
    <message>
        <source>nothing was written; the files exist</source>
        <translation>没有写入；文件已存在</translation>
    </message>
    <message>
        <source>This folder cannot be compared.</source>
        <translation>无法与此文件夹比较。</translation>
    </message>
    <message>
        <source>comparing with %1; Ctrl+Z takes it away</source>
        <translation>正在与 %1 比较；Ctrl+Z 可撤销</translation>
    </message>
    <message>
        <source>Compare with a Sextant project, or with a folder of TensorBoard event files or CSV</source>
        <translation>与 Sextant 项目，或与 TensorBoard 事件文件或 CSV 的文件夹比较</translation>
    </message>
    <message>
        <source>Compare with a log file</source>
        <translation>与日志文件比较</translation>
    </message>
    <message>
        <source>Logs (*.csv *.tsv *tfevents*);;All files (*)</source>
        <translation>日志 (*.csv *.tsv *tfevents*);;所有文件 (*)</translation>
    </message>
    <message>
        <source>only waiting runs have a place in the queue</source>
        <translation>只有等待中的运行在队列中有位置</translation>
    </message>
    <message>
        <source>runs of other folders are only shown here; they stay where they are</source>
        <translation>其他文件夹的运行在此仅供显示；它们留在原处</translation>
    </message>
</context>
<context>
    <name>sextant::MatrixTableModel</name>
    <message>
        <source>key %1</source>
        <translation>键 %1</translation>
    </message>
    <message>
        <source>query %1</source>
        <translation>查询 %1</translation>
    </message>
</context>
<context>
    <name>sextant::ParameterForm</name>
    <message>
        <source>derived</source>
        <translation>自动推导</translation>
    </message>
    <message>
        <source>This encoding has no parameters.</source>
        <translation>此编码没有参数。</translation>
    </message>
</context>
<context>
    <name>sextant::PhaseWheel</name>
    <message>
        <source>Phase wheel</source>
        <translation>相位轮</translation>
    </message>
    <message>
        <source>This encoding has no rotating pairs.</source>
        <translation>此编码没有旋转对。</translation>
    </message>
    <message>
        <source>● past one turn, ○ first turn; outer ring: pair 0</source>
        <translation>● 已过一圈，○ 第一圈内；外环：第 0 对</translation>
    </message>
    <message>
        <source>pair %1 at position %2: %3 radians, %4 turns</source>
        <translation>第 %1 对，位置 %2：%3 弧度，%4 圈</translation>
    </message>
</context>
<context>
    <name>sextant::PositionPage</name>
    <message>
        <source>Encoding</source>
        <translation>编码</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <source>Width of a head</source>
        <translation>每头宽度</translation>
    </message>
    <message>
        <source>Length in tokens</source>
        <translation>长度（词元）</translation>
    </message>
    <message>
        <source>Position</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>head_dim</source>
        <translation>head_dim</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>As the selected arm</source>
        <translation>与所选分支相同</translation>
    </message>
    <message>
        <source>Bias of every head</source>
        <translation>各头的偏置</translation>
    </message>
    <message>
        <source>Bias added to the scores, head by head</source>
        <translation>逐头加到分数上的偏置</translation>
    </message>
    <message>
        <source>Slopes</source>
        <translation>斜率</translation>
    </message>
    <message>
        <source>How far each head sees</source>
        <translation>每个头能看多远</translation>
    </message>
    <message>
        <source>Kernel over distance</source>
        <translation>随距离的核</translation>
    </message>
    <message>
        <source>Phase of every pair</source>
        <translation>每对的相位</translation>
    </message>
    <message>
        <source>Phase wheel</source>
        <translation>相位轮</translation>
    </message>
    <message>
        <source>Cosine of every pair</source>
        <translation>每对的余弦</translation>
    </message>
    <message>
        <source>Wavelengths</source>
        <translation>波长</translation>
    </message>
    <message>
        <source>Long-term decay</source>
        <translation>长程衰减</translation>
    </message>
    <message>
        <source>Keep as comparison</source>
        <translation>保留作对比</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Vector added to each position</source>
        <translation>加到每个位置的向量</translation>
    </message>
    <message>
        <source>Similarity of positions</source>
        <translation>位置相似度</translation>
    </message>
    <message>
        <source>All encodings over distance</source>
        <translation>全部编码随距离</translation>
    </message>
    <message>
        <source>Formula</source>
        <translation>公式</translation>
    </message>
    <message>
        <source>With the current numbers</source>
        <translation>代入当前数值</translation>
    </message>
    <message>
        <source>In words</source>
        <translation>用文字说明</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>slope</source>
        <translation>斜率</translation>
    </message>
    <message>
        <source>half</source>
        <translation>半衰</translation>
    </message>
    <message>
        <source>1/e</source>
        <translation>1/e</translation>
    </message>
    <message>
        <source>Mind</source>
        <translation>注意</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>参考文献</translation>
    </message>
    <message>
        <source>This encoding cannot be drawn.</source>
        <translation>无法绘制此编码。</translation>
    </message>
    <message>
        <source>%1 of %2 pairs never complete a turn within %3 tokens.</source>
        <translation>%2 对中有 %1 对在 %3 个词元内转不满一圈。</translation>
    </message>
    <message>
        <source>Past position %1 they reach angles never seen in training.</source>
        <translation>超过位置 %1 后它们会到达训练中从未见过的角度。</translation>
    </message>
    <message>
        <source>m = 1/%1</source>
        <translation>m = 1/%1</translation>
    </message>
    <message>
        <source>m = %1</source>
        <translation>m = %1</translation>
    </message>
    <message>
        <source>head %1</source>
        <translation>头 %1</translation>
    </message>
    <message>
        <source>bias</source>
        <translation>偏置</translation>
    </message>
    <message>
        <source>one scale for all heads</source>
        <translation>所有头统一刻度</translation>
    </message>
    <message>
        <source>lower values are drawn as %1</source>
        <translation>更低的值按 %1 绘制</translation>
    </message>
    <message>
        <source>hatched: masked, not in the scale</source>
        <translation>斜线：被遮蔽，不在刻度内</translation>
    </message>
    <message>
        <source>rows: query 0–%1 downwards, columns: key; dashed: weight halved</source>
        <translation>行：查询 0–%1 向下，列：键；虚线：权重减半</translation>
    </message>
    <message numerus="yes">
        <source>Slopes at %n head(s)</source>
        <translation>
            <numerusform>%n 个头的斜率</numerusform>
        </translation>
    </message>
    <message>
        <source>a power of two: both rules agree</source>
        <translation>2 的幂：两种规则一致</translation>
    </message>
    <message>
        <source>not a power of two</source>
        <translation>不是 2 的幂</translation>
    </message>
    <message>
        <source>half-weight distance</source>
        <translation>半权距离</translation>
    </message>
    <message>
        <source>distance, tokens</source>
        <translation>距离（词元）</translation>
    </message>
    <message>
        <source>factor e^bias on the weight</source>
        <translation>权重因子 e^偏置</translation>
    </message>
    <message numerus="yes">
        <source>%n pair(s); dashed: no full turn in training</source>
        <translation>
            <numerusform>%n 对；虚线：训练中不满一圈</numerusform>
        </translation>
    </message>
    <message>
        <source>Phase wheel at position %1</source>
        <translation>位置 %1 的相位轮</translation>
    </message>
    <message>
        <source>cosine</source>
        <translation>余弦</translation>
    </message>
    <message>
        <source>pair</source>
        <translation>对</translation>
    </message>
    <message>
        <source>position, tokens</source>
        <translation>位置（词元）</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>%1 of %2 never complete a turn</source>
        <translation>%2 对中 %1 对不满一圈</translation>
    </message>
    <message>
        <source>now</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>position</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>value</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>channel</source>
        <translation>通道</translation>
    </message>
    <message>
        <source>relative to distance 0</source>
        <translation>相对于距离 0</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>m%1 = %2</source>
        <translation>m%1 = %2</translation>
    </message>
    <message>
        <source>e^bias = %1</source>
        <translation>e^偏置 = %1</translation>
    </message>
    <message>
        <source>weight halved after %1 tokens</source>
        <translation>%1 个词元后权重减半</translation>
    </message>
    <message>
        <source>θ</source>
        <translation>θ</translation>
    </message>
    <message>
        <source>λ</source>
        <translation>λ</translation>
    </message>
    <message>
        <source>turns</source>
        <translation>圈</translation>
    </message>
    <message>
        <source>θ%1 = %2 rad a token</source>
        <translation>θ%1 = %2 弧度/词元</translation>
    </message>
    <message>
        <source>λ = 2π/θ = %1 tokens</source>
        <translation>λ = 2π/θ = %1 词元</translation>
    </message>
    <message>
        <source>attention factor %1</source>
        <translation>注意力因子 %1</translation>
    </message>
    <message>
        <source>parameter</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>head %1   query %2   key %3</source>
        <translation>头 %1   查询 %2   键 %3</translation>
    </message>
    <message>
        <source>%1   distance %2   bias %3   factor %4</source>
        <translation>%1   距离 %2   偏置 %3   因子 %4</translation>
    </message>
    <message>
        <source>%1   masked: the future</source>
        <translation>%1   遮蔽：未来</translation>
    </message>
    <message>
        <source>%1, head %2 of %3</source>
        <translation>%1，头 %2 / %3</translation>
    </message>
    <message>
        <source>%1, pair %2 of %3</source>
        <translation>%1，对 %2 / %3</translation>
    </message>
    <message>
        <source>encoding</source>
        <translation>编码</translation>
    </message>
    <message>
        <source>precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>all over distance</source>
        <translation>全部随距离</translation>
    </message>
    <message>
        <source>What is shown</source>
        <translation>显示内容</translation>
    </message>
    <message>
        <source>e^bias</source>
        <translation>e^偏置</translation>
    </message>
    <message>
        <source>Bias or its factor on the weight</source>
        <translation>偏置或其权重因子</translation>
    </message>
    <message>
        <source>Buckets</source>
        <translation>距离桶</translation>
    </message>
    <message>
        <source>Error by position</source>
        <translation>按位置的误差</translation>
    </message>
    <message>
        <source>Positions that stay apart</source>
        <translation>仍可区分的位置</translation>
    </message>
    <message>
        <source>format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>largest error</source>
        <translation>最大误差</translation>
    </message>
    <message>
        <source>positions left</source>
        <translation>剩余位置</translation>
    </message>
    <message>
        <source>first lost</source>
        <translation>首个丢失</translation>
    </message>
    <message>
        <source>Against double precision</source>
        <translation>与双精度对比</translation>
    </message>
    <message>
        <source>Formula with the current numbers</source>
        <translation>代入当前数值的公式</translation>
    </message>
    <message>
        <source>The present curves stay, faint, while the sliders move on.</source>
        <translation>当前曲线以淡色保留，滑块可继续移动。</translation>
    </message>
    <message>
        <source>%1 s%2</source>
        <translation>%1 s%2</translation>
    </message>
    <message>
        <source>In %1, %2 of %3 positions are left.</source>
        <translation>%1 下，%3 个位置只剩 %2 个。</translation>
    </message>
    <message>
        <source>A format is left out.</source>
        <translation>有一种格式被略去。</translation>
    </message>
    <message>
        <source>Positions are whole numbers; a format with few bits rounds neighbours to the same one. Make positions and angles in fp32 and round last.</source>
        <translation>位置是整数；位数少的格式会把相邻位置舍入为同一个值。请用 fp32 计算位置和角度，最后再舍入。</translation>
    </message>
    <message>
        <source>Show in extrapolation</source>
        <translation>在外推页查看</translation>
    </message>
    <message>
        <source>%1 heads are not a power of two, so their slopes are not in order.</source>
        <translation>头数 %1 不是 2 的幂，因此斜率不按顺序排列。</translation>
    </message>
    <message>
        <source>The first %1 take the slopes of %1 heads; the other %2 take every second slope of %3, the odd ones, so that no slope comes twice. Checkpoints are trained in this order: sorting the slopes would give every head another bias.</source>
        <translation>前 %1 个头取 %1 个头时的斜率；其余 %2 个头取 %3 个头时的斜率，隔一取一，只取奇数项，这样斜率不会重复。检查点按此顺序训练：若将斜率排序，每个头都会得到别的偏置。</translation>
    </message>
    <message>
        <source>This encoding is learned; it is drawn as it begins.</source>
        <translation>此编码是学习得到的；按初始状态绘制。</translation>
    </message>
    <message>
        <source>Choose a run of it with a checkpoint to see what training made of it.</source>
        <translation>选择使用此编码且有检查点的运行，可查看训练后的结果。</translation>
    </message>
    <message>
        <source>this one is set to the naive rule</source>
        <translation>此处设为朴素规则</translation>
    </message>
    <message>
        <source>weight halved at equal content</source>
        <translation>内容相同时权重减半</translation>
    </message>
    <message>
        <source>by the bias of the last query; heads without one never halve</source>
        <translation>按最后一个查询的偏置；没有半权距离的头从不减半</translation>
    </message>
    <message>
        <source>equal content, relative to distance 0</source>
        <translation>内容相同，相对于距离 0</translation>
    </message>
    <message>
        <source>bucket</source>
        <translation>桶</translation>
    </message>
    <message>
        <source>%1 in use to distance %2; all distances of a bucket share one value</source>
        <translation>到距离 %2 为止用到 %1 个桶；同一桶内的所有距离共用一个值</translation>
    </message>
    <message>
        <source>cos(p θ) × attention factor %1</source>
        <translation>cos(p θ) × 注意力因子 %1</translation>
    </message>
    <message>
        <source>cos(p θ), position p, pair down</source>
        <translation>cos(p θ)，位置 p，纵向为对</translation>
    </message>
    <message>
        <source>circles: kept; now %1 of %2 never complete a turn</source>
        <translation>圆圈：保留；当前 %2 对中 %1 对不满一圈</translation>
    </message>
    <message>
        <source>RoFormer 3.4.3: mean of |Σ e^(i p θ)| over partial sums</source>
        <translation>RoFormer 3.4.3：各部分和 |Σ e^(i p θ)| 的均值</translation>
    </message>
    <message>
        <source>cosine of the vectors of two positions, 0–%1</source>
        <translation>两个位置的向量的余弦，0–%1</translation>
    </message>
    <message>
        <source>as it begins, seed 0</source>
        <translation>初始状态，种子 0</translation>
    </message>
    <message>
        <source>as trained in %1</source>
        <translation>%1 训练后的状态</translation>
    </message>
    <message>
        <source>unscaled; %1 positions, %2 channels</source>
        <translation>未缩放；%1 个位置，%2 个通道</translation>
    </message>
    <message>
        <source>bias: e^bias of head %1; rotation: decay bound; added vectors: their similarity; learned ones as they begin</source>
        <translation>偏置：头 %1 的 e^偏置；旋转：衰减上界；加性向量：其相似度；学习得到的编码取初始状态</translation>
    </message>
    <message>
        <source>largest error, %1 (log)</source>
        <translation>最大误差，%1（对数）</translation>
    </message>
    <message>
        <source>This encoding computes nothing from positions, so no bits are lost.</source>
        <translation>此编码不由位置计算任何量，因此不丢失任何位。</translation>
    </message>
    <message>
        <source>%1 against fp64, over all %2; positions without an error are left out</source>
        <translation>%1 与 fp64 对比，涵盖所有%2；略去没有误差的位置</translation>
    </message>
    <message>
        <source>heads</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <source>pairs</source>
        <translation>旋转对</translation>
    </message>
    <message>
        <source>channels</source>
        <translation>通道</translation>
    </message>
    <message>
        <source>positions in use, tokens (log)</source>
        <translation>使用的位置数，词元（对数）</translation>
    </message>
    <message>
        <source>distinct positions (log)</source>
        <translation>不同的位置数（对数）</translation>
    </message>
    <message>
        <source>after rounding each position to the format</source>
        <translation>每个位置舍入到该格式后</translation>
    </message>
    <message>
        <source>%1 positions</source>
        <translation>%1 个位置</translation>
    </message>
    <message>
        <source>b(%1, 0) = −%2 · %1</source>
        <translation>b(%1, 0) = −%2 · %1</translation>
    </message>
    <message>
        <source>= %1</source>
        <translation>= %1</translation>
    </message>
    <message>
        <source>ln 2 / m%1 = %2 tokens</source>
        <translation>ln 2 / m%1 = %2 词元</translation>
    </message>
    <message>
        <source>bias at distance %1 = %2</source>
        <translation>距离 %1 处的偏置 = %2</translation>
    </message>
    <message>
        <source>kept: λ = %1 tokens</source>
        <translation>保留：λ = %1 词元</translation>
    </message>
    <message>
        <source>pair %1: %2 rad = %3 turns, cos %4</source>
        <translation>第 %1 对：%2 弧度 = %3 圈，cos %4</translation>
    </message>
</context>
<context>
    <name>sextant::PreferencesDialog</name>
    <message>
        <source>Preferences</source>
        <translation>首选项</translation>
    </message>
    <message>
        <source>System</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>as the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>A new language shows from the next start.</source>
        <translation>新的语言将在下次启动时生效。</translation>
    </message>
    <message>
        <source>Use the system&apos;s font (numbers stay in Noto Sans Mono)</source>
        <translation>使用系统字体（数字仍用 Noto Sans Mono）</translation>
    </message>
    <message>
        <source>Single letters are shortcuts while a chart or list has the focus</source>
        <translation>图表或列表获得焦点时单字母为快捷键</translation>
    </message>
</context>
<context>
    <name>sextant::QueueStrip</name>
    <message>
        <source>Queue</source>
        <translation>队列</translation>
    </message>
    <message>
        <source>%1 s%2</source>
        <translation>%1 s%2</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>以及另外 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 词元/秒</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>last point %1 ago</source>
        <translation>上一个点在 %1 前</translation>
    </message>
    <message>
        <source>preparing the data</source>
        <translation>正在准备数据</translation>
    </message>
    <message>
        <source>not started</source>
        <translation>未开始</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>空</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) waiting</source>
        <translation>
            <numerusform>%n 个运行等待中</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n error(s)</source>
        <translation>
            <numerusform>%n 个错误</numerusform>
        </translation>
    </message>
    <message>
        <source>last run: %1 s%2, %3</source>
        <translation>上次运行：%1 s%2，%3</translation>
    </message>
</context>
<context>
    <name>sextant::RecentSummary</name>
    <message numerus="yes">
        <source>logs of other programs, %n file(s)</source>
        <translation>
            <numerusform>其他程序的日志，%n 个文件</numerusform>
        </translation>
    </message>
    <message>
        <source>not trained yet</source>
        <translation>尚未训练</translation>
    </message>
    <message>
        <source>%1 s%2</source>
        <translation>%1 s%2</translation>
    </message>
    <message>
        <source>%1 is paused at step %2</source>
        <translation>%1 暂停于第 %2 步</translation>
    </message>
    <message>
        <source>%1 is training, %2 %</source>
        <translation>%1 正在训练，%2 %</translation>
    </message>
    <message>
        <source>%1 diverged at step %2</source>
        <translation>%1 在第 %2 步发散</translation>
    </message>
    <message>
        <source>%1 failed</source>
        <translation>%1 失败</translation>
    </message>
    <message numerus="yes">
        <source>%n more running</source>
        <translation>
            <numerusform>另有 %n 个运行中</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) finished</source>
        <translation>
            <numerusform>%n 次运行已完成</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n stopped</source>
        <translation>
            <numerusform>%n 个已停止</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n queued</source>
        <translation>
            <numerusform>%n 个排队中</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) in all</source>
        <translation>
            <numerusform>共 %n 次运行</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sextant::Report</name>
    <message>
        <source>%1</source>
        <translation>%1</translation>
    </message>
    <message>
        <source>Does %1 differ from %2 in %3 at length %4 (%5) after the same training?</source>
        <translation>同样训练之后，%1 与 %2 在长度 %4（%5）的%3上是否不同？</translation>
    </message>
    <message>
        <source>How does %1 compare with %2? (exploratory: no primary endpoint was declared)</source>
        <translation>%1 与 %2 相比如何？（探索性：未声明主要终点）</translation>
    </message>
    <message>
        <source>A small model of %1 parameters trained on %2 tokens; the papers train 247 million to 1.3 billion parameters. Directions may carry over, numbers do not.</source>
        <translation>这是 %1 个参数、在 %2 个 token 上训练的小模型；论文训练的是 2.47 亿至 13 亿个参数。方向或许可以推广，数字不可以。</translation>
    </message>
    <message>
        <source>Seeds run: %1. Any claim needs at least %2 pairs, so none is made.</source>
        <translation>已运行的种子数：%1。任何结论至少需要 %2 对，因此不下结论。</translation>
    </message>
    <message>
        <source>%1, seed %2: %3.</source>
        <translation>%1，种子 %2：%3。</translation>
    </message>
    <message>
        <source>%1 at length %2 (%3): no value, %4.</source>
        <translation>%1，长度 %2（%3）：无数值，%4。</translation>
    </message>
    <message>
        <source>One corpus and one test text: the statistics are over seeds, not over texts.</source>
        <translation>只有一个语料和一个测试文本：统计是针对种子而非文本的。</translation>
    </message>
    <message>
        <source>No reward stage was run; post_training_loss and reward_bearing_group_rate are null.</source>
        <translation>没有运行奖励阶段；post_training_loss 与 reward_bearing_group_rate 为 null。</translation>
    </message>
    <message>
        <source>corpus</source>
        <translation>语料</translation>
    </message>
    <message>
        <source>training tokens</source>
        <translation>训练 token</translation>
    </message>
    <message>
        <source>validation tokens</source>
        <translation>验证 token</translation>
    </message>
    <message>
        <source>test tokens</source>
        <translation>测试 token</translation>
    </message>
    <message>
        <source>narrative tokens</source>
        <translation>叙事 token</translation>
    </message>
    <message>
        <source>tokenizer</source>
        <translation>分词器</translation>
    </message>
    <message>
        <source>vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>fingerprint of the tokens</source>
        <translation>token 指纹</translation>
    </message>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>context length</source>
        <translation>上下文长度</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>training tokens seen</source>
        <translation>训练中见过的 token</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>schedule</source>
        <translation>学习率计划</translation>
    </message>
    <message>
        <source>seeds</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>lengths</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>modes</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>stride of sliding windows</source>
        <translation>滑动窗口步长</translation>
    </message>
    <message>
        <source>targets</source>
        <translation>目标数</translation>
    </message>
    <message>
        <source>%1 (small N)</source>
        <translation>%1（N 较小）</translation>
    </message>
    <message>
        <source>%1 layers, width %2, %3 heads (%4 of keys and values), feed-forward %5, tied embedding</source>
        <translation>%1 层，宽度 %2，%3 个头（键值头 %4 个），前馈 %5，嵌入共享</translation>
    </message>
    <message>
        <source>%1 layers, width %2, %3 heads (%4 of keys and values), feed-forward %5, untied embedding</source>
        <translation>%1 层，宽度 %2，%3 个头（键值头 %4 个），前馈 %5，嵌入不共享</translation>
    </message>
    <message>
        <source>%1, learning rate %2, betas %3 and %4, weight decay %5</source>
        <translation>%1，学习率 %2，beta %3 与 %4，权重衰减 %5</translation>
    </message>
    <message>
        <source>%1, warm-up over %2 steps, down to %3 of the peak</source>
        <translation>%1，预热 %2 步，降到峰值的 %3</translation>
    </message>
    <message>
        <source>Is the code that made the numbers identified?</source>
        <translation>产生这些数字的代码是否明确？</translation>
    </message>
    <message>
        <source>Yes: commit %1</source>
        <translation>是：提交 %1</translation>
    </message>
    <message>
        <source>No: %1</source>
        <translation>否：%1</translation>
    </message>
    <message>
        <source>Is the data identified?</source>
        <translation>数据是否明确？</translation>
    </message>
    <message>
        <source>No</source>
        <translation>否</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>Yes: SHA-256 %1</source>
        <translation>是：SHA-256 %1</translation>
    </message>
    <message>
        <source>Are all hyper-parameters given?</source>
        <translation>是否给出全部超参数？</translation>
    </message>
    <message>
        <source>Yes: experiment.json in the project folder</source>
        <translation>是：项目文件夹中的 experiment.json</translation>
    </message>
    <message>
        <source>Did every arm get the same tokens, order and budget?</source>
        <translation>每个分组的 token、顺序和预算是否相同？</translation>
    </message>
    <message>
        <source>See the fairness hashes and overrides in artifacts/*.json</source>
        <translation>见 artifacts/*.json 中的公平性哈希与覆盖项</translation>
    </message>
    <message>
        <source>How many runs, and what varies between them?</source>
        <translation>运行多少次，其间有何不同？</translation>
    </message>
    <message>
        <source>%1 seeds for each arm; initial weights and data order</source>
        <translation>每个分组 %1 个种子；初始权重与数据顺序不同</translation>
    </message>
    <message>
        <source>Was the endpoint fixed before the run?</source>
        <translation>终点是否在运行前确定？</translation>
    </message>
    <message>
        <source>No: everything is exploratory</source>
        <translation>否：全部为探索性</translation>
    </message>
    <message>
        <source>What error measure is given?</source>
        <translation>给出何种误差度量？</translation>
    </message>
    <message>
        <source>Paired sign-flip test and the interval from inverting it; sd over seeds; the test text&apos;s own error apart</source>
        <translation>配对符号翻转检验及其反演区间；种子间标准差；测试文本自身的误差另列</translation>
    </message>
    <message>
        <source>What hardware and how long?</source>
        <translation>使用何种硬件，用时多久？</translation>
    </message>
    <message>
        <source>%1; threads: %2; times in the cost table</source>
        <translation>%1；线程：%2；用时见代价表</translation>
    </message>
    <message>
        <source>Can it be repeated with one command?</source>
        <translation>能否用一条命令重复？</translation>
    </message>
    <message>
        <source>Yes: %1</source>
        <translation>是：%1</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>lm_loss</source>
        <translation>训练长度处的损失</translation>
    </message>
    <message>
        <source>loss_beyond</source>
        <translation>训练长度之外的损失</translation>
    </message>
    <message>
        <source>instruction_loss</source>
        <translation>指令损失</translation>
    </message>
    <message>
        <source>preference_accuracy</source>
        <translation>偏好准确率</translation>
    </message>
    <message>
        <source>bits_per_byte</source>
        <translation>每字节比特</translation>
    </message>
    <message>
        <source>word_perplexity</source>
        <translation>词困惑度</translation>
    </message>
    <message>
        <source>non-overlapping</source>
        <translation>不重叠</translation>
    </message>
    <message>
        <source>sliding</source>
        <translation>滑动</translation>
    </message>
    <message>
        <source>cold-start</source>
        <translation>冷启动</translation>
    </message>
    <message>
        <source>no band</source>
        <translation>无带</translation>
    </message>
    <message>
        <source>SE</source>
        <translation>标准误</translation>
    </message>
    <message>
        <source>SD</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>95 % t interval</source>
        <translation>95 % t 区间</translation>
    </message>
    <message>
        <source>min-max</source>
        <translation>最小到最大</translation>
    </message>
    <message>
        <source>complete</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>not evaluated</source>
        <translation>未评估</translation>
    </message>
    <message>
        <source>the value is not a number</source>
        <translation>值不是数字</translation>
    </message>
    <message>
        <source>tested</source>
        <translation>已检验</translation>
    </message>
    <message>
        <source>testable</source>
        <translation>可检验</translation>
    </message>
    <message>
        <source>not testable</source>
        <translation>不可检验</translation>
    </message>
    <message>
        <source>perplexity</source>
        <translation>困惑度</translation>
    </message>
    <message>
        <source>diverged at step %1</source>
        <translation>在第 %1 步发散</translation>
    </message>
    <message>
        <source>queued at step %1</source>
        <translation>排队，第 %1 步</translation>
    </message>
    <message>
        <source>running at step %1</source>
        <translation>运行中，第 %1 步</translation>
    </message>
    <message>
        <source>paused at step %1</source>
        <translation>暂停于第 %1 步</translation>
    </message>
    <message>
        <source>cancelled at step %1</source>
        <translation>在第 %1 步取消</translation>
    </message>
    <message>
        <source>failed: %1</source>
        <translation>失败：%1</translation>
    </message>
    <message>
        <source>%1 has positions 0 to %2 only; length %3 is beyond its table</source>
        <translation>%1 只有位置 0 到 %2；长度 %3 超出其表</translation>
    </message>
    <message>
        <source>none: %1 pair cannot reach p &lt; 0.05, %2 are needed</source>
        <translation>无结论：%1 对数据达不到 p &lt; 0.05，需要 %2 对</translation>
    </message>
    <message>
        <source>none: %1 pairs cannot reach p &lt; 0.05, %2 are needed</source>
        <translation>无结论：%1 对数据达不到 p &lt; 0.05，需要 %2 对</translation>
    </message>
    <message>
        <source>none: %1 pair cannot reach p &lt; 0.05, %2 are needed (%3 variants share the 5 %)</source>
        <translation>无结论：%1 对数据达不到 p &lt; 0.05，需要 %2 对（%3 个变体分享 5 %）</translation>
    </message>
    <message>
        <source>none: %1 pairs cannot reach p &lt; 0.05, %2 are needed (%3 variants share the 5 %)</source>
        <translation>无结论：%1 对数据达不到 p &lt; 0.05，需要 %2 对（%3 个变体分享 5 %）</translation>
    </message>
    <message>
        <source>none: the declared endpoint was not measured</source>
        <translation>无结论：声明的终点没有测量</translation>
    </message>
    <message>
        <source>none: no primary endpoint was declared before the run; exploratory only</source>
        <translation>无结论：运行前没有声明主要终点；仅为探索性</translation>
    </message>
    <message>
        <source>none: identical arms, an A/A comparison</source>
        <translation>无结论：分组相同，为 A/A 比较</translation>
    </message>
    <message>
        <source>no difference shown (not the same as equal)</source>
        <translation>未显示差异（不等于相同）</translation>
    </message>
    <message>
        <source>exploratory: no claim</source>
        <translation>探索性：无结论</translation>
    </message>
    <message>
        <source>lower by %1 (sign-flip p = %2, %3 % interval %4) over %5 seeds on this corpus and test text</source>
        <translation>在此语料与测试文本上，%5 个种子，低 %1（符号翻转 p = %2，%3 % 区间 %4）</translation>
    </message>
    <message>
        <source>higher by %1 (sign-flip p = %2, %3 % interval %4) over %5 seeds on this corpus and test text</source>
        <translation>在此语料与测试文本上，%5 个种子，高 %1（符号翻转 p = %2，%3 % 区间 %4）</translation>
    </message>
    <message>
        <source>lower by %1 (Holm-adjusted p = %2 over %3 variants, %4 % interval %5) over %6 seeds on this corpus and test text</source>
        <translation>在此语料与测试文本上，%6 个种子，低 %1（对 %3 个变体 Holm 校正 p = %2，%4 % 区间 %5）</translation>
    </message>
    <message>
        <source>higher by %1 (Holm-adjusted p = %2 over %3 variants, %4 % interval %5) over %6 seeds on this corpus and test text</source>
        <translation>在此语料与测试文本上，%6 个种子，高 %1（对 %3 个变体 Holm 校正 p = %2，%4 % 区间 %5）</translation>
    </message>
    <message>
        <source>not worse by more than %1 (p = %2 on d - m) over %3 seeds on this corpus and test text</source>
        <translation>在此语料与测试文本上，%3 个种子，变差不超过 %1（d - m 的 p = %2）</translation>
    </message>
    <message>
        <source>Each head subtracts a fixed slope times the distance from its scores; trained short, it runs long.</source>
        <translation>每个头从得分中减去固定斜率乘以距离；短训练，长运行。</translation>
    </message>
    <message>
        <source>A small trained network maps the distance, as a share of the query&apos;s position, to a bias.</source>
        <translation>一个训练出的小网络把距离（占查询位置的比例）映射为偏置。</translation>
    </message>
    <message>
        <source>Each head learns a bias that falls with the logarithm of the distance.</source>
        <translation>每个头学习一个随距离的对数下降的偏置。</translation>
    </message>
    <message>
        <source>Each head learns a bias that falls with a power of the distance; power 1 is ALiBi.</source>
        <translation>每个头学习一个随距离的幂下降的偏置；幂为 1 即 ALiBi。</translation>
    </message>
    <message>
        <source>A trained vector for each position is added to the embedding; undefined beyond the last one.</source>
        <translation>每个位置有一个训练出的向量加到嵌入上；超过最后一个位置则没有定义。</translation>
    </message>
    <message>
        <source>Nothing is added; a causal mask alone lets a model count what came before.</source>
        <translation>不加任何东西；因果遮罩本身就让模型能够数出之前有多少 token。</translation>
    </message>
    <message>
        <source>Queries and keys turn by an angle proportional to their position; scores see the distance.</source>
        <translation>查询与键按位置成比例旋转；得分只看到距离。</translation>
    </message>
    <message>
        <source>A fixed bias: the product of two sinusoidal position vectors, weaker for each next head.</source>
        <translation>固定偏置：两个正弦位置向量的内积，逐头减弱。</translation>
    </message>
    <message>
        <source>Sines and cosines of the position at geometric frequencies are added to the embedding.</source>
        <translation>把几何级数频率下位置的正弦与余弦加到嵌入上。</translation>
    </message>
    <message>
        <source>A trained bias for each head and each bucket of distances, shared by all layers.</source>
        <translation>每个头、每个距离桶有一个训练出的偏置，各层共用。</translation>
    </message>
    <message>
        <source>Rotary positions whose fast pairs also fade with distance.</source>
        <translation>旋转位置编码，其快速通道对还随距离衰减。</translation>
    </message>
    <message>
        <source>%1 at length %2, %3, stride %4, N = %5</source>
        <translation>长度 %2 的%1，%3，步长 %4，N = %5</translation>
    </message>
</context>
<context>
    <name>sextant::ReportPage</name>
    <message>
        <source>Made from the recorded runs; it follows them.</source>
        <translation>由记录的运行生成，并随之更新。</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>There is nothing to report yet.</source>
        <translation>还没有可报告的内容。</translation>
    </message>
    <message>
        <source>Saved %1.</source>
        <translation>已保存 %1。</translation>
    </message>
    <message>
        <source>The report was not saved.</source>
        <translation>报告未保存。</translation>
    </message>
    <message>
        <source>Save the report</source>
        <translation>保存报告</translation>
    </message>
    <message>
        <source>Save as HTML folder...</source>
        <translation>另存为 HTML 文件夹...</translation>
    </message>
    <message>
        <source>Folder for the report</source>
        <translation>报告所在文件夹</translation>
    </message>
    <message>
        <source>Save report...</source>
        <translation>保存报告...</translation>
    </message>
    <message>
        <source>The report is made when runs have recorded a step.</source>
        <translation>运行记录了步骤后即生成报告。</translation>
    </message>
    <message>
        <source>It is being computed.</source>
        <translation>正在计算。</translation>
    </message>
    <message>
        <source>%1 exists already. Overwrite it?</source>
        <translation>%1 已存在。是否覆盖？</translation>
    </message>
    <message>
        <source>PDF (*.pdf);;HTML in one file (*.html);;Markdown (*.md)</source>
        <translation>PDF (*.pdf);;单个 HTML 文件 (*.html);;Markdown (*.md)</translation>
    </message>
</context>
<context>
    <name>sextant::ReportText</name>
    <message>
        <source>Table %1. %2</source>
        <translation>表 %1. %2</translation>
    </message>
    <message>
        <source>Figure %1. %2</source>
        <translation>图 %1. %2</translation>
    </message>
    <message>
        <source>what</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>%1 (sign-flip, %2 %)</source>
        <translation>%1（符号翻转，%2 %）</translation>
    </message>
    <message>
        <source>%1 (t, %2 %)</source>
        <translation>%1（t，%2 %）</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>%1 against %2: %3.</source>
        <translation>%1 对 %2：%3。</translation>
    </message>
    <message>
        <source>Measured: %1. %2 has %3, %4 has %5; the mean paired difference is %6 over n = %7 seeds.</source>
        <translation>测量项：%1。%2 为 %3，%4 为 %5；n = %7 个种子上的平均配对差为 %6。</translation>
    </message>
    <message>
        <source>Left out: %1.</source>
        <translation>未计入：%1。</translation>
    </message>
    <message>
        <source>Arms and what differs</source>
        <translation>各分组及其差异</translation>
    </message>
    <message>
        <source>An arm is one way of training the same model. All arms share data, order of batches, initial weights of the tensors they have in common, optimizer and number of steps; only what stands here differs.</source>
        <translation>一个分组就是训练同一模型的一种方式。所有分组共用数据、批次顺序、共有张量的初始权重、优化器和步数；只有下列内容不同。</translation>
    </message>
    <message>
        <source>The arms of the experiment.</source>
        <translation>实验的各分组。</translation>
    </message>
    <message>
        <source>arm</source>
        <translation>分组</translation>
    </message>
    <message>
        <source>encoding</source>
        <translation>位置编码</translation>
    </message>
    <message>
        <source>paper</source>
        <translation>论文</translation>
    </message>
    <message>
        <source>settings of the encoding</source>
        <translation>编码的设置</translation>
    </message>
    <message>
        <source>trained parameters</source>
        <translation>训练参数量</translation>
    </message>
    <message>
        <source>(baseline)</source>
        <translation>（基线）</translation>
    </message>
    <message>
        <source>also differs: %1</source>
        <translation>其他差异：%1</translation>
    </message>
    <message>
        <source>Training curves</source>
        <translation>训练曲线</translation>
    </message>
    <message>
        <source>No run has recorded a step yet.</source>
        <translation>还没有运行记录过任何一步。</translation>
    </message>
    <message>
        <source>Every run, and how it ended.</source>
        <translation>每次运行及其结束方式。</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>state</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>first loss</source>
        <translation>首步损失</translation>
    </message>
    <message>
        <source>last loss</source>
        <translation>末步损失</translation>
    </message>
    <message>
        <source>last validation loss</source>
        <translation>最后的验证损失</translation>
    </message>
    <message>
        <source>Length extrapolation</source>
        <translation>长度外推</translation>
    </message>
    <message>
        <source>Each trained model is scored on inputs longer than those it was trained on. Non-overlapping windows cut the text into pieces, so early targets of a piece see little context; sliding windows give every target a full one. The two can disagree, so both are shown.</source>
        <translation>每个训练好的模型都在比训练时更长的输入上评分。不重叠窗口把文本切成段，段首的目标只有很少上文；滑动窗口让每个目标都有完整上文。两者可能不一致，因此都给出。</translation>
    </message>
    <message>
        <source>No run was evaluated by length.</source>
        <translation>没有运行按长度评估过。</translation>
    </message>
    <message>
        <source>gap at the longest</source>
        <translation>最长处的差距</translation>
    </message>
    <message>
        <source>holds to</source>
        <translation>保持到</translation>
    </message>
    <message>
        <source>%1 at %2: %3</source>
        <translation>%1，长度 %2：%3</translation>
    </message>
    <message>
        <source>Perplexity by evaluation length, %1, stride %2, N = %3. Gap: loss minus the loss at the training length, in nats. Holds to: the longest length with a gap of at most %4 nats.</source>
        <translation>各评估长度的困惑度，%1，步长 %2，N = %3。差距：损失减去训练长度处的损失，单位 nat。保持到：差距不超过 %4 nat 的最长长度。</translation>
    </message>
    <message>
        <source>windows</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>= length</source>
        <translation>= 长度</translation>
    </message>
    <message>
        <source>(small N)</source>
        <translation>（N 较小）</translation>
    </message>
    <message>
        <source>No value: %1.</source>
        <translation>无数值：%1。</translation>
    </message>
    <message>
        <source>The loss by position was not recorded (evaluation.by_position).</source>
        <translation>没有记录按位置的损失（evaluation.by_position）。</translation>
    </message>
    <message>
        <source>What the encodings do to positions</source>
        <translation>各编码如何表示位置</translation>
    </message>
    <message>
        <source>These pictures come from the formulas of the encodings with the settings of this experiment; no trained model is needed for them.</source>
        <translation>这些图由编码的公式按本实验的设置算出，不需要训练好的模型。</translation>
    </message>
    <message>
        <source>No arm has an encoding whose values exist before training.</source>
        <translation>没有分组的编码在训练前就有数值。</translation>
    </message>
    <message>
        <source>Attention of the probe text</source>
        <translation>探针文本的注意力</translation>
    </message>
    <message>
        <source>The probe text: “%1”</source>
        <translation>探针文本：“%1”</translation>
    </message>
    <message>
        <source>Not shown: %1</source>
        <translation>未显示：%1</translation>
    </message>
    <message>
        <source>Not shown: the experiment has no probe text.</source>
        <translation>未显示：实验没有探针文本。</translation>
    </message>
    <message>
        <source>Not shown: no run keeps a checkpoint, and attention needs the trained weights.</source>
        <translation>未显示：没有运行保留检查点，而注意力需要训练好的权重。</translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation>统计</translation>
    </message>
    <message>
        <source>The unit is the seed: each seed trains every arm on the same data in the same order, and only differences within a seed are compared. p is the exact two-sided sign-flip permutation test; n pairs cannot give less than the smallest p shown. Only the endpoint declared before the run can carry a claim, adjusted over all variants (Holm); everything else is exploratory.</source>
        <translation>统计单位是种子：每个种子都用相同数据、相同顺序训练每个分组，只比较同一种子内的差。p 是精确的双侧符号翻转置换检验；n 对数据得不到比所示最小 p 更小的值。只有运行前声明的终点可以支持结论，并对所有变体做 Holm 校正；其余都是探索性的。</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>sd</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>差</translation>
    </message>
    <message>
        <source>interval</source>
        <translation>区间</translation>
    </message>
    <message>
        <source>smallest p</source>
        <translation>最小 p</translation>
    </message>
    <message>
        <source>adjusted p</source>
        <translation>校正 p</translation>
    </message>
    <message>
        <source>Primary endpoint, declared before the run: %1.</source>
        <translation>运行前声明的主要终点：%1。</translation>
    </message>
    <message>
        <source>Exploratory, no primary endpoint: %1.</source>
        <translation>探索性，没有主要终点：%1。</translation>
    </message>
    <message>
        <source>%1 for %2 nats</source>
        <translation>%2 nat 需 %1 个</translation>
    </message>
    <message>
        <source>over a million</source>
        <translation>超过一百万</translation>
    </message>
    <message>
        <source>Seeds needed with this spread: %1.</source>
        <translation>按当前离散程度所需种子数：%1。</translation>
    </message>
    <message>
        <source>Noise floor from identical arms: %1 nats.</source>
        <translation>相同分组之间的噪声下限：%1 nat。</translation>
    </message>
    <message>
        <source>Sampling error of the test text itself: about %1 nats, common to all arms.</source>
        <translation>测试文本本身的抽样误差：约 %1 nat，所有分组相同。</translation>
    </message>
    <message>
        <source>%1 and %2, seed by seed: %3.</source>
        <translation>%1 与 %2 逐个种子：%3。</translation>
    </message>
    <message>
        <source>Exploratory: everything else that was measured. No claim may be made from it.</source>
        <translation>探索性：其余全部测量，不能据此下结论。</translation>
    </message>
    <message>
        <source>measure</source>
        <translation>测量项</translation>
    </message>
    <message>
        <source>arm&apos;s</source>
        <translation>该分组</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>代价</translation>
    </message>
    <message>
        <source>Time and memory of each run. Each run is a process of its own; peak memory is the largest resident size of that process, idle is with the libraries loaded and nothing trained.</source>
        <translation>每次运行的时间与内存。每次运行是独立进程；峰值内存是该进程驻留内存的最大值，空闲内存是载入库而未训练时的值。</translation>
    </message>
    <message>
        <source>seconds</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>tokens/s</source>
        <translation>token/秒</translation>
    </message>
    <message>
        <source>peak memory, MB</source>
        <translation>峰值内存，MB</translation>
    </message>
    <message>
        <source>idle memory, MB</source>
        <translation>空闲内存，MB</translation>
    </message>
    <message>
        <source>What the papers report</source>
        <translation>论文报告的结果</translation>
    </message>
    <message>
        <source>Published numbers of the encodings&apos; papers, on other corpora, tokenizers and model sizes, and beside them those of Sextant&apos;s own records. They stand here for comparison of directions and are no results of this experiment.</source>
        <translation>这些编码的论文所发表的数字，语料、分词器和模型规模都不同；旁边是 Sextant 自己记录的数字。列在此处只为比较方向，不是本实验的结果。</translation>
    </message>
    <message>
        <source>Published claims and whether they can be tested at this scale.</source>
        <translation>已发表的结论，以及能否在此规模下检验。</translation>
    </message>
    <message>
        <source>claim</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>published</source>
        <translation>发表值</translation>
    </message>
    <message>
        <source>Sextant&apos;s own</source>
        <translation>Sextant 的结果</translation>
    </message>
    <message>
        <source>here, and why</source>
        <translation>此处情况及原因</translation>
    </message>
    <message>
        <source>en</source>
        <comment>language of the report</comment>
        <extracomment>The language of the report as a BCP 47 tag: &quot;en&quot;, &quot;zh-CN&quot;.</extracomment>
        <translation>zh-CN</translation>
    </message>
    <message>
        <source>Provenance</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Where the numbers come from.</source>
        <translation>数字的来源。</translation>
    </message>
    <message>
        <source>Sextant</source>
        <translation>Sextant</translation>
    </message>
    <message>
        <source>commit</source>
        <translation>提交</translation>
    </message>
    <message>
        <source>compiler</source>
        <translation>编译器</translation>
    </message>
    <message>
        <source>libraries</source>
        <translation>库</translation>
    </message>
    <message>
        <source>processor</source>
        <translation>处理器</translation>
    </message>
    <message>
        <source>device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>computed by</source>
        <translation>计算路径</translation>
    </message>
    <message>
        <source>threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>corpus, SHA-256</source>
        <translation>语料，SHA-256</translation>
    </message>
    <message>
        <source>tokenizer, SHA-256</source>
        <translation>分词器，SHA-256</translation>
    </message>
    <message>
        <source>tokens, SHA-256</source>
        <translation>token，SHA-256</translation>
    </message>
    <message>
        <source>Reproducibility checklist</source>
        <translation>可复现性清单</translation>
    </message>
    <message>
        <source>Pre-filled from the project; check before you submit.</source>
        <translation>由项目预填；提交前请核对。</translation>
    </message>
    <message>
        <source>question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Report of a comparison of position encodings, made by Sextant</source>
        <translation>位置编码比较报告，由 Sextant 生成</translation>
    </message>
    <message>
        <source>Question and answer</source>
        <translation>问题与回答</translation>
    </message>
    <message>
        <source>How to read this. A language model predicts the next token of a text. It does not know by itself in which order tokens stand; a position encoding tells it. Loss is the mean surprise for a token in nats, perplexity is e to the loss; for both, lower is better. n counts seeds, that is, independent repetitions with other random initial weights; sd is the standard deviation over them. Nothing here was computed from fewer runs than its n says, and what was not measured is shown as a dash.</source>
        <translation>如何阅读。语言模型预测文本的下一个 token。它本身不知道 token 的先后顺序，由位置编码告诉它。损失是每个 token 的平均意外程度（nat），困惑度是 e 的损失次方；两者都是越低越好。n 是种子数，即用不同随机初始权重独立重复的次数；标准差在这些种子上计算。每个数字所用的运行都不少于其 n，未测量的内容显示为短横线。</translation>
    </message>
    <message>
        <source>Data and budget</source>
        <translation>数据与预算</translation>
    </message>
    <message>
        <source>The text that was learned and tested on.</source>
        <translation>学习和测试所用的文本。</translation>
    </message>
    <message>
        <source>The project keeps no record of its data (data/dataset_info.json).</source>
        <translation>项目没有保留数据记录（data/dataset_info.json）。</translation>
    </message>
    <message>
        <source>Model and training, the same for every arm unless it is listed above as different.</source>
        <translation>模型与训练；除上面列出的差异外，各分组相同。</translation>
    </message>
    <message>
        <source>How the trained models were judged.</source>
        <translation>训练好的模型如何评判。</translation>
    </message>
    <message>
        <source>Limits</source>
        <translation>局限</translation>
    </message>
    <message>
        <source>%1, seed %2 warned: %3</source>
        <translation>%1，种子 %2 警告：%3</translation>
    </message>
    <message>
        <source>One seed for each variant, so nothing says how much another seed would differ.</source>
        <translation>每个变体只有一个种子，因此无法知道换一个种子会差多少。</translation>
    </message>
    <message>
        <source>Mean over seeds (n = %1).</source>
        <translation>种子均值（n = %1）。</translation>
    </message>
    <message>
        <source>Mean over seeds (n = %1); band: %2.</source>
        <translation>种子均值（n = %1）；带：%2。</translation>
    </message>
    <message>
        <source>%1, seed %2: %3</source>
        <translation>%1，种子 %2：%3</translation>
    </message>
    <message>
        <source>Ended early and left out from there on: %1.</source>
        <translation>提前结束，此后不计入：%1。</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>validation loss, nats a token</source>
        <translation>验证损失，nat/token</translation>
    </message>
    <message>
        <source>training loss, nats a token</source>
        <translation>训练损失，nat/token</translation>
    </message>
    <message>
        <source>Validation loss during training</source>
        <translation>训练期间的验证损失</translation>
    </message>
    <message>
        <source>Training loss</source>
        <translation>训练损失</translation>
    </message>
    <message>
        <source>Loss on the validation text against training steps; lower is better.</source>
        <translation>验证文本上的损失随训练步数的变化；越低越好。</translation>
    </message>
    <message>
        <source>Loss of each training batch against steps; lower is better.</source>
        <translation>每个训练批次的损失随步数的变化；越低越好。</translation>
    </message>
    <message>
        <source>not finite</source>
        <translation>非有限值</translation>
    </message>
    <message>
        <source>non-overlapping windows (context grows from 0 inside a window)</source>
        <translation>不重叠窗口（窗口内上文从 0 增长）</translation>
    </message>
    <message>
        <source>%1, stride %2</source>
        <translation>%1，步长 %2</translation>
    </message>
    <message>
        <source>, N = %1 targets</source>
        <translation>，N = %1 个目标</translation>
    </message>
    <message>
        <source>evaluation length, tokens (log)</source>
        <translation>评估长度，token（对数）</translation>
    </message>
    <message>
        <source>perplexity (log), %1</source>
        <translation>困惑度（对数），%1</translation>
    </message>
    <message>
        <source>trained %1</source>
        <translation>训练长度 %1</translation>
    </message>
    <message>
        <source>Perplexity by evaluation length</source>
        <translation>各评估长度的困惑度</translation>
    </message>
    <message>
        <source>Perplexity on the test text when the model reads longer inputs than it was trained on; lower is better. The vertical line is the training length. The same targets are scored at every length: %1.</source>
        <translation>模型读入比训练时更长的输入时，测试文本上的困惑度；越低越好。竖线为训练长度。每个长度都评分同一批目标：%1。</translation>
    </message>
    <message>
        <source>position in the window, tokens</source>
        <translation>窗口内位置，token</translation>
    </message>
    <message>
        <source>loss, nats a token</source>
        <translation>损失，nat/token</translation>
    </message>
    <message>
        <source>Loss by position</source>
        <translation>按位置的损失</translation>
    </message>
    <message>
        <source>Loss at each position of windows of %1 tokens (%2, N = %3 targets); right of the line are positions that training never showed. Faint: each position; strong: moving average with a half-life of %4 positions.</source>
        <translation>长度 %1 token 的窗口中各位置的损失（%2，N = %3 个目标）；竖线右侧是训练中从未出现的位置。浅色：各位置；深色：半衰期为 %4 个位置的滑动平均。</translation>
    </message>
    <message>
        <source>The values are those before training; training changes them.</source>
        <translation>这些是训练前的值；训练会改变它们。</translation>
    </message>
    <message>
        <source>What %1 adds to the attention scores</source>
        <translation>%1 给注意力得分加上的数值</translation>
    </message>
    <message>
        <source>Number added to the score of a query (down) and a key (across) before the softmax, for each head; %1 on the shared scale. Hatched: the future, which is masked. Dashed: the distance at which the bias alone halves a weight.</source>
        <translation>softmax 之前加到查询（纵向）与键（横向）得分上的数值，每个头一幅；%1，统一刻度。斜线：未来位置，被遮蔽。虚线：仅偏置就使权重减半的距离。</translation>
    </message>
    <message>
        <source>head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>slope m (log)</source>
        <translation>斜率 m（对数）</translation>
    </message>
    <message>
        <source>Slopes of %1</source>
        <translation>%1 的斜率</translation>
    </message>
    <message>
        <source>A head of slope m adds -m times the distance to each score: steep heads look at near tokens, flat ones far back.</source>
        <translation>斜率为 m 的头给每个得分加上 -m 乘以距离：陡的头看近处 token，平的头看远处。</translation>
    </message>
    <message>
        <source>How far %1 turns each pair of channels</source>
        <translation>%1 使每对通道旋转的角度</translation>
    </message>
    <message>
        <source>Angle of each pair of channels against position, in full turns, both logarithmic. Vertical line: the training length %1. Dashed pairs (%2 of %3) never complete a turn in training, so longer inputs show them angles they have never seen.</source>
        <translation>每对通道的角度随位置的变化，单位为整圈，两轴均为对数。竖线：训练长度 %1。虚线的通道对（%3 对中的 %2 对）在训练中从未转满一圈，因此更长的输入会出现它们从未见过的角度。</translation>
    </message>
    <message>
        <source>Upper bound of the score by distance, %1</source>
        <translation>得分上界随距离的变化，%1</translation>
    </message>
    <message>
        <source>Relative upper bound of the score of a rotated query and key against their distance (RoFormer, section 3.4.3). Vertical line: the training length %1.</source>
        <translation>旋转后的查询与键得分的相对上界随距离的变化（RoFormer 3.4.3 节）。竖线：训练长度 %1。</translation>
    </message>
    <message>
        <source>cosine</source>
        <translation>余弦</translation>
    </message>
    <message>
        <source>position</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Similarity of positions, %1</source>
        <translation>位置之间的相似度，%1</translation>
    </message>
    <message>
        <source>Cosine between the vectors that are added to the tokens at two positions: 1 on the diagonal, near 0 where two positions look unrelated.</source>
        <translation>加到两个位置 token 上的向量之间的余弦：对角线上为 1，两个位置看起来无关时接近 0。</translation>
    </message>
    <message>
        <source>%1, seed %2</source>
        <translation>%1，种子 %2</translation>
    </message>
    <message>
        <source>Weight that each token (row) gives to earlier tokens (columns) of the probe text, %1 tokens, in the trained model of %2; every row sums to 1. Hatched: the future.</source>
        <translation>训练好的模型（%2）中，探针文本（%1 个 token）的每个 token（行）给先前 token（列）的权重；每行之和为 1。斜线：未来位置。</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Attention, layer %1 head %2, %3</source>
        <translation>注意力，第 %1 层第 %2 头，%3</translation>
    </message>
    <message>
        <source>layer %1, head %2</source>
        <translation>第 %1 层，头 %2</translation>
    </message>
    <message>
        <source>Attention of all heads, %1</source>
        <translation>所有头的注意力，%1</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>目录</translation>
    </message>
    <message>
        <source>Numbers of this figure (CSV)</source>
        <translation>本图的数据（CSV）</translation>
    </message>
    <message>
        <source>Made by Sextant from recorded runs. %1</source>
        <translation>由 Sextant 根据记录的运行生成。%1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>第 %1 页，共 %2 页</translation>
    </message>
    <message>
        <source>%1 has no run of seed %2</source>
        <translation>%1 没有种子 %2 的运行</translation>
    </message>
</context>
<context>
    <name>sextant::RunDelegate</name>
    <message>
        <source>%1, baseline</source>
        <translation>%1，基线</translation>
    </message>
    <message>
        <source>keep</source>
        <translation>保留</translation>
    </message>
</context>
<context>
    <name>sextant::RunInspector</name>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>剩余</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Last point</source>
        <translation>最近的点</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Checkpoint</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>What differs from the baseline</source>
        <translation>与基线的差异</translation>
    </message>
    <message>
        <source>Tags and note</source>
        <translation>标签与备注</translation>
    </message>
    <message>
        <source>tags, separated by commas</source>
        <translation>标签，用逗号分隔</translation>
    </message>
    <message>
        <source>Tags of the run</source>
        <translation>运行的标签</translation>
    </message>
    <message>
        <source>note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Note on the run</source>
        <translation>运行的备注</translation>
    </message>
    <message>
        <source>Provenance</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>计划</translation>
    </message>
    <message>
        <source>Commit</source>
        <translation>提交</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Trained by</source>
        <translation>训练者</translation>
    </message>
    <message>
        <source>%1 s%2</source>
        <translation>%1 s%2</translation>
    </message>
    <message>
        <source>%1 / %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 词元/秒</translation>
    </message>
    <message>
        <source>%1 MiB peak</source>
        <translation>峰值 %1 MiB</translation>
    </message>
    <message>
        <source>%1 ago</source>
        <translation>%1 前</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>%1 was not finite at step %2; last checkpoint: %3.</source>
        <translation>%1 在第 %2 步不是有限值；最近的检查点：%3。</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message numerus="yes">
        <source>%1, %2, %n thread(s)</source>
        <translation>
            <numerusform>%1，%2，%n 线程</numerusform>
        </translation>
    </message>
    <message>
        <source>not trained yet</source>
        <translation>尚未训练</translation>
    </message>
    <message>
        <source>%1 of %2 finished</source>
        <translation>%2 个中 %1 个完成</translation>
    </message>
    <message numerus="yes">
        <source>%n without a result</source>
        <translation>
            <numerusform>%n 个没有结果</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>This is the baseline.</source>
        <translation>这是基线。</translation>
    </message>
    <message>
        <source>Nothing: the same plan under two names.</source>
        <translation>没有差异：两个名字的同一计划。</translation>
    </message>
    <message numerus="yes">
        <source>%n other field(s) are equal.</source>
        <translation>
            <numerusform>其余 %n 个字段相同。</numerusform>
        </translation>
    </message>
    <message>
        <source>Same batches.</source>
        <translation>批次相同。</translation>
    </message>
    <message>
        <source>Same shared initial weights.</source>
        <translation>共享初始权重相同。</translation>
    </message>
    <message>
        <source>Val loss</source>
        <translation>验证损失</translation>
    </message>
    <message>
        <source>%1 MiB now</source>
        <translation>当前 %1 MiB</translation>
    </message>
    <message>
        <source>none: a log of another program</source>
        <translation>无：其他程序的日志</translation>
    </message>
    <message>
        <source>unknown to the logs</source>
        <translation>日志中未记录</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>read from logs</source>
        <translation>读自日志</translation>
    </message>
    <message>
        <source>s%1: %2</source>
        <translation>s%1：%2</translation>
    </message>
    <message>
        <source>s%1: %2 was not finite at step %3</source>
        <translation>s%1：第 %3 步时 %2 非有限值</translation>
    </message>
    <message>
        <source>%1 – %2</source>
        <translation>%1 – %2</translation>
    </message>
    <message numerus="yes">
        <source>%n read from logs</source>
        <translation>
            <numerusform>%n 个读自日志</numerusform>
        </translation>
    </message>
    <message>
        <source>tokens/s</source>
        <translation>词元/秒</translation>
    </message>
    <message>
        <source>MiB peak</source>
        <translation>MiB 峰值</translation>
    </message>
    <message numerus="yes">
        <source>%n plan(s), one a seed</source>
        <translation>
            <numerusform>%n 个计划，每个种子一个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n different</source>
        <translation>
            <numerusform>%n 种不同</numerusform>
        </translation>
    </message>
    <message>
        <source>Unknown: logs of other programs say nothing about the configuration.</source>
        <translation>未知：其他程序的日志不含配置信息。</translation>
    </message>
</context>
<context>
    <name>sextant::RunModel</name>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 m %2 s</source>
        <translation>%1 分 %2 秒</translation>
    </message>
    <message>
        <source>%1 h %2 m</source>
        <translation>%1 时 %2 分</translation>
    </message>
    <message>
        <source>queued</source>
        <translation>排队</translation>
    </message>
    <message>
        <source>training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>中断</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>diverged</source>
        <translation>发散</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1, the baseline, %2 runs finished</source>
        <translation>%1，基线，已完成 %2 次运行</translation>
    </message>
    <message>
        <source>%1, %2 runs finished</source>
        <translation>%1，已完成 %2 次运行</translation>
    </message>
    <message>
        <source>%1 %   %2</source>
        <translation>%1 %   %2</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>paused at %1</source>
        <translation>暂停于 %1</translation>
    </message>
    <message>
        <source>interrupted at %1</source>
        <translation>中断于 %1</translation>
    </message>
    <message>
        <source>stopped at %1</source>
        <translation>停止于 %1</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>failed: %1</source>
        <translation>失败：%1</translation>
    </message>
    <message>
        <source>s%1</source>
        <translation>s%1</translation>
    </message>
    <message>
        <source>%1, seed %2, finished</source>
        <translation>%1，种子 %2，已完成</translation>
    </message>
    <message>
        <source>%1, seed %2, %3</source>
        <translation>%1，种子 %2，%3</translation>
    </message>
    <message>
        <source>variant, seed</source>
        <translation>变体、种子</translation>
    </message>
    <message>
        <source>val loss</source>
        <translation>验证损失</translation>
    </message>
    <message>
        <source>queued, no. %1</source>
        <translation>排队中，第 %1</translation>
    </message>
    <message>
        <source>diverged, step %1: %2</source>
        <translation>第 %1 步发散：%2</translation>
    </message>
    <message numerus="yes">
        <source>%1, seed %2, read from a log, %n curve(s)</source>
        <translation>
            <numerusform>%1，种子 %2，读自日志，%n 条曲线</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sextant::RunNotes</name>
    <message>
        <source>tags</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>do not keep</source>
        <translation>不保留</translation>
    </message>
    <message>
        <source>Notes are not saved while their file is damaged: %1</source>
        <translation>备注文件已损坏，暂不保存备注：%1</translation>
    </message>
    <message numerus="yes">
        <source>move %n run(s) to the trash</source>
        <translation>
            <numerusform>将 %n 个运行移到回收站</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 could not be moved; look at the rights of the project folder.</source>
        <translation>无法移动 %1；请检查项目文件夹的权限。</translation>
    </message>
    <message>
        <source>folders compared</source>
        <translation>比较的文件夹</translation>
    </message>
    <message>
        <source>order of the queue</source>
        <translation>队列顺序</translation>
    </message>
</context>
<context>
    <name>sextant::RunsDock</name>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Sort by value or by name</source>
        <translation>按数值或名称排序</translation>
    </message>
    <message>
        <source>Edit the experiment</source>
        <translation>编辑实验</translation>
    </message>
    <message>
        <source>filter, e.g. pe:alibi seed&lt;3</source>
        <translation>筛选，如 pe:alibi seed&lt;3</translation>
    </message>
    <message>
        <source>Filter the runs</source>
        <translation>筛选运行</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Stop comparing with %1</source>
        <translation>停止与 %1 比较</translation>
    </message>
</context>
<context>
    <name>sextant::SampleGallery</name>
    <message>
        <source>What position encodings do</source>
        <translation>位置编码的作用</translation>
    </message>
    <message>
        <source>How much each encoding favours near tokens</source>
        <translation>各编码偏好近处词元的程度</translation>
    </message>
    <message>
        <source>distance, tokens</source>
        <translation>距离（词元）</translation>
    </message>
    <message>
        <source>weight relative to distance 0</source>
        <translation>相对于距离 0 的权重</translation>
    </message>
    <message>
        <source>How far does each encoding see?</source>
        <translation>每种编码能看多远？</translation>
    </message>
    <message>
        <source>before any training, middle head of 8</source>
        <translation>未经训练，8 个头的中间一个</translation>
    </message>
    <message>
        <source>Bias of eight ALiBi heads</source>
        <translation>八个 ALiBi 头的偏置</translation>
    </message>
    <message>
        <source>head %1</source>
        <translation>头 %1</translation>
    </message>
    <message>
        <source>bias</source>
        <translation>偏置</translation>
    </message>
    <message>
        <source>ALiBi: what each head subtracts</source>
        <translation>ALiBi：每个头减去什么</translation>
    </message>
    <message>
        <source>8 heads, 64 tokens, one scale; hatched: the future</source>
        <translation>8 个头，64 个词元，统一刻度；斜线：未来</translation>
    </message>
    <message>
        <source>Cosine of every RoPE pair</source>
        <translation>每个 RoPE 对的余弦</translation>
    </message>
    <message>
        <source>RoPE: cosine of every pair</source>
        <translation>RoPE：每对的余弦</translation>
    </message>
    <message>
        <source>pair</source>
        <translation>对</translation>
    </message>
    <message>
        <source>position, tokens</source>
        <translation>位置（词元）</translation>
    </message>
    <message>
        <source>In the sample project</source>
        <translation>示例项目中</translation>
    </message>
    <message>
        <source>Perplexity against evaluation length</source>
        <translation>困惑度与评估长度</translation>
    </message>
    <message>
        <source>evaluation length, tokens (log)</source>
        <translation>评估长度，词元（对数）</translation>
    </message>
    <message>
        <source>perplexity (log)</source>
        <translation>困惑度（对数）</translation>
    </message>
    <message>
        <source>trained at 64</source>
        <translation>训练长度 64</translation>
    </message>
    <message>
        <source>Which encoding survives longer texts?</source>
        <translation>哪种编码经得起更长的文本？</translation>
    </message>
    <message numerus="yes">
        <source>trained by Sextant; non-overlapping, mean of %n seed(s), band 95 % t interval</source>
        <translation>
            <numerusform>由 Sextant 训练；不重叠窗口，%n 个种子的均值，区间带为 95 % t 区间</numerusform>
        </translation>
    </message>
    <message>
        <source>32 pairs, positions 0 to %1</source>
        <translation>32 对，位置 0 至 %1</translation>
    </message>
</context>
<context>
    <name>sextant::Session</name>
    <message>
        <source>Training did not start.</source>
        <translation>训练未能开始。</translation>
    </message>
    <message>
        <source>Training could not be told to stop.</source>
        <translation>无法通知训练停止。</translation>
    </message>
    <message>
        <source>The disk of %1 is nearly full.</source>
        <translation>%1 所在的磁盘即将写满。</translation>
    </message>
    <message>
        <source>%1 are free, about %2 are needed. Training waits at its step and goes on by itself when there is room.</source>
        <translation>剩余 %1，约需 %2。训练停在当前步，腾出空间后会自行继续。</translation>
    </message>
    <message>
        <source>There is room again on the disk of %1.</source>
        <translation>%1 所在的磁盘又有空间了。</translation>
    </message>
    <message>
        <source>Training ended.</source>
        <translation>训练结束。</translation>
    </message>
    <message>
        <source>The experiment file cannot be edited.</source>
        <translation>无法编辑实验文件。</translation>
    </message>
    <message>
        <source>The notes cannot be read.</source>
        <translation>无法读取备注。</translation>
    </message>
    <message>
        <source>%1 s%2 could not be told.</source>
        <translation>无法通知 %1 s%2。</translation>
    </message>
    <message>
        <source>what is drawn</source>
        <translation>显示的内容</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>基线</translation>
    </message>
</context>
<context>
    <name>sextant::ShortcutsDialog</name>
    <message>
        <source>Shortcuts</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>Menu</source>
        <translation>菜单</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Single letters act only while a chart, a matrix or the run list has the focus.</source>
        <translation>单字母仅在图表、矩阵或运行列表获得焦点时有效。</translation>
    </message>
</context>
<context>
    <name>sextant::StartPage</name>
    <message>
        <source>%1 of %2 GiB free</source>
        <translation>可用 %1 / %2 GiB</translation>
    </message>
    <message>
        <source>today %1</source>
        <translation>今天 %1</translation>
    </message>
    <message>
        <source>yesterday</source>
        <translation>昨天</translation>
    </message>
    <message>
        <source>Sextant</source>
        <translation>Sextant</translation>
    </message>
    <message>
        <source>See what a position encoding does.</source>
        <translation>看清位置编码在做什么。</translation>
    </message>
    <message>
        <source>Open the sample project</source>
        <translation>打开示例项目</translation>
    </message>
    <message>
        <source>RoPE, ALiBi, sinusoidal; every page is filled</source>
        <translation>RoPE、ALiBi、正弦；每一页都有内容</translation>
    </message>
    <message>
        <source>Train a first run</source>
        <translation>训练第一个运行</translation>
    </message>
    <message>
        <source>RoPE against ALiBi, about a minute</source>
        <translation>RoPE 对 ALiBi，约一分钟</translation>
    </message>
    <message>
        <source>New experiment</source>
        <translation>新建实验</translation>
    </message>
    <message>
        <source>From a preset, field by field</source>
        <translation>从预设开始，逐项设置</translation>
    </message>
    <message>
        <source>Open a project</source>
        <translation>打开项目</translation>
    </message>
    <message>
        <source>Also one that another machine is writing</source>
        <translation>也可打开其他机器正在写入的项目</translation>
    </message>
    <message>
        <source>This machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>sextant-cli not found; viewing only</source>
        <translation>找不到 sextant-cli；仅可查看</translation>
    </message>
    <message numerus="yes">
        <source>CPU, %n thread(s)</source>
        <translation>
            <numerusform>CPU，%n 线程</numerusform>
        </translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>not used</source>
        <translation>未使用</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近</translation>
    </message>
    <message>
        <source>filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Filter recent projects</source>
        <translation>筛选最近的项目</translation>
    </message>
    <message>
        <source>folder not found</source>
        <translation>找不到文件夹</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>打开 %1</translation>
    </message>
    <message>
        <source>Forget %1</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>No project was opened yet.</source>
        <translation>还没有打开过项目。</translation>
    </message>
    <message>
        <source>No recent project has “%1” in its path.</source>
        <translation>最近的项目路径中没有“%1”。</translation>
    </message>
    <message>
        <source>The sample opens in a temporary copy.</source>
        <translation>示例在临时副本中打开。</translation>
    </message>
    <message>
        <source>Change anything, nothing is lost.</source>
        <translation>可随意更改，不会丢失任何内容。</translation>
    </message>
    <message>
        <source>Open logs of other programs</source>
        <translation>打开其他程序的日志</translation>
    </message>
    <message>
        <source>TensorBoard event files, CSV tables</source>
        <translation>TensorBoard 事件文件、CSV 表格</translation>
    </message>
    <message>
        <source>Or drop any of these on the window.</source>
        <translation>或将其中任何一种拖到窗口上。</translation>
    </message>
</context>
<context>
    <name>sextant::StepBar</name>
    <message>
        <source>Step bar</source>
        <translation>步进条</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>First step</source>
        <translation>第一步</translation>
    </message>
    <message>
        <source>Home</source>
        <translation>Home</translation>
    </message>
    <message>
        <source>Previous snapshot</source>
        <translation>上一个快照</translation>
    </message>
    <message>
        <source>Play the snapshots</source>
        <translation>播放快照</translation>
    </message>
    <message>
        <source>Next snapshot</source>
        <translation>下一个快照</translation>
    </message>
    <message>
        <source>Last step</source>
        <translation>最后一步</translation>
    </message>
    <message>
        <source>End</source>
        <translation>End</translation>
    </message>
    <message>
        <source>Follow live</source>
        <translation>跟随最新</translation>
    </message>
    <message>
        <source>Stay at the newest step (L)</source>
        <translation>停留在最新一步 (L)</translation>
    </message>
    <message>
        <source>Stop playing</source>
        <translation>停止播放</translation>
    </message>
    <message>
        <source>no steps</source>
        <translation>没有步</translation>
    </message>
    <message>
        <source>  tokens %1</source>
        <translation>  词元 %1</translation>
    </message>
</context>
<context>
    <name>sextant::StepGroove</name>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
</context>
<context>
    <name>sextant::TokenStrip</name>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>No text is shown.</source>
        <translation>没有显示文本。</translation>
    </message>
    <message>
        <source>token %1: %2</source>
        <translation>词元 %1：%2</translation>
    </message>
    <message>
        <source>, weight %1</source>
        <translation>，权重 %1</translation>
    </message>
</context>
<context>
    <name>sextant::WorkerProcess</name>
    <message>
        <source>Training of this project is already under way.</source>
        <translation>此项目的训练已在进行。</translation>
    </message>
    <message>
        <source>sextant-cli was not found beside the window, on PATH or in SEXTANT_CLI; install it or set SEXTANT_CLI.</source>
        <translation>在窗口旁、PATH 和 SEXTANT_CLI 中都找不到 sextant-cli；请安装它或设置 SEXTANT_CLI。</translation>
    </message>
    <message>
        <source>%1 did not tell its version; reinstall it together with the window.</source>
        <translation>%1 没有报告版本；请与窗口一起重新安装。</translation>
    </message>
    <message>
        <source>%1 was built from commit %2, the window from %3; install both from the same build.</source>
        <translation>%1 构建自提交 %2，窗口构建自 %3；请从同一构建安装两者。</translation>
    </message>
    <message>
        <source>%1 could not be started: %2.</source>
        <translation>无法启动 %1：%2。</translation>
    </message>
</context>
<context>
    <name>sextant::Workspace</name>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Position</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Extrapolation</source>
        <translation>外推</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
</context>
</TS>
