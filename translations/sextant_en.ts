<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>sextant::ArmDelegate</name>
    <message numerus="yes">
        <source>%n change(s)</source>
        <translation>
            <numerusform>%n change</numerusform>
            <numerusform>%n changes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sextant::ArmHeader</name>
    <message numerus="yes">
        <source>%n change(s)</source>
        <translation>
            <numerusform>%n change</numerusform>
            <numerusform>%n changes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sextant::AttentionPage</name>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n snapshot(s), this text</source>
        <translation>
            <numerusform>%n snapshot, this text</numerusform>
            <numerusform>%n snapshots, this text</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sextant::ComparePage</name>
    <message numerus="yes">
        <source>%n variant(s)</source>
        <translation>
            <numerusform>%n variant</numerusform>
            <numerusform>%n variants</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>n = %n pair(s)</source>
        <translation>
            <numerusform>n = %n pair</numerusform>
            <numerusform>n = %n pairs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Mean paired difference %1 nats a token over %n pair(s).</source>
        <translation>
            <numerusform>Mean paired difference %1 nats a token over %n pair.</numerusform>
            <numerusform>Mean paired difference %1 nats a token over %n pairs.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>After Holm&apos;s correction over %n variant(s): %1.</source>
        <translation>
            <numerusform>After Holm&apos;s correction over %n variant: %1.</numerusform>
            <numerusform>After Holm&apos;s correction over %n variants: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pair(s) cannot reach p &lt; 0.05.</source>
        <translation>
            <numerusform>%n pair cannot reach p &lt; 0.05.</numerusform>
            <numerusform>%n pairs cannot reach p &lt; 0.05.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sextant::CurvePlot</name>
    <message numerus="yes">
        <source> and %n more</source>
        <translation>
            <numerusform> and %n more</numerusform>
            <numerusform> and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sextant::CurvesPage</name>
    <message numerus="yes">
        <source>%n finished</source>
        <translation>
            <numerusform>%n finished</numerusform>
            <numerusform>%n finished</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n live</source>
        <translation>
            <numerusform>%n live</numerusform>
            <numerusform>%n live</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n queued</source>
        <translation>
            <numerusform>%n queued</numerusform>
            <numerusform>%n queued</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n without a result</source>
        <translation>
            <numerusform>%n without a result</numerusform>
            <numerusform>%n without a result</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n read from logs</source>
        <translation>
            <numerusform>%n read from logs</numerusform>
            <numerusform>%n read from logs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sextant::EditorPage</name>
    <message numerus="yes">
        <source>%n pair(s) can reach p = %1; enough for a claim.</source>
        <translation>
            <numerusform>%n pair can reach p = %1; enough for a claim.</numerusform>
            <numerusform>%n pairs can reach p = %1; enough for a claim.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pair(s) can reach p = %1 at best; a claim needs %2.</source>
        <translation>
            <numerusform>%n pair can reach p = %1 at best; a claim needs %2.</numerusform>
            <numerusform>%n pairs can reach p = %1 at best; a claim needs %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Use %n seeds</source>
        <translation>
            <numerusform>Use %n seed</numerusform>
            <numerusform>Use %n seeds</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n problem</numerusform>
            <numerusform>%n problems</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n variant(s) against the baseline</source>
        <translation>
            <numerusform>%n variant against the baseline</numerusform>
            <numerusform>%n variants against the baseline</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Queue %n run(s)</source>
        <translation>
            <numerusform>Queue %n run</numerusform>
            <numerusform>Queue %n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sextant::ExtrapolationPage</name>
    <message numerus="yes">
        <source>mean of %n seed(s)</source>
        <translation>
            <numerusform>mean of %n seed</numerusform>
            <numerusform>mean of %n seeds</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sextant::HeatmapGrid</name>
    <message numerus="yes">
        <source>%n matrices on one scale</source>
        <translation>
            <numerusform>%n matrices on one scale</numerusform>
            <numerusform>%n matrices on one scale</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sextant::MainWindow</name>
    <message numerus="yes">
        <source>CPU, %n thread(s)</source>
        <translation>
            <numerusform>CPU, %n thread</numerusform>
            <numerusform>CPU, %n threads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) asked for a checkpoint</source>
        <translation>
            <numerusform>%n run asked for a checkpoint</numerusform>
            <numerusform>%n runs asked for a checkpoint</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) moved to the trash; Ctrl+Z brings them back</source>
        <translation>
            <numerusform>%n run moved to the trash; Ctrl+Z brings them back</numerusform>
            <numerusform>%n runs moved to the trash; Ctrl+Z brings them back</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) are marked “keep” and stayed</source>
        <translation>
            <numerusform>%n run is marked “keep” and stayed</numerusform>
            <numerusform>%n runs are marked “keep” and stayed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sextant::PositionPage</name>
    <message numerus="yes">
        <source>Slopes at %n head(s)</source>
        <translation>
            <numerusform>Slopes at %n head</numerusform>
            <numerusform>Slopes at %n heads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pair(s); dashed: no full turn in training</source>
        <translation>
            <numerusform>%n pair; dashed: no full turn in training</numerusform>
            <numerusform>%n pairs; dashed: no full turn in training</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sextant::QueueStrip</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) waiting</source>
        <translation>
            <numerusform>%n run waiting</numerusform>
            <numerusform>%n runs waiting</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n error(s)</source>
        <translation>
            <numerusform>%n error</numerusform>
            <numerusform>%n errors</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sextant::RecentSummary</name>
    <message numerus="yes">
        <source>logs of other programs, %n file(s)</source>
        <translation>
            <numerusform>logs of other programs, %n file</numerusform>
            <numerusform>logs of other programs, %n files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more running</source>
        <translation>
            <numerusform>%n more running</numerusform>
            <numerusform>%n more running</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) finished</source>
        <translation>
            <numerusform>%n run finished</numerusform>
            <numerusform>%n runs finished</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n stopped</source>
        <translation>
            <numerusform>%n stopped</numerusform>
            <numerusform>%n stopped</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n queued</source>
        <translation>
            <numerusform>%n queued</numerusform>
            <numerusform>%n queued</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) in all</source>
        <translation>
            <numerusform>%n run in all</numerusform>
            <numerusform>%n runs in all</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sextant::RunInspector</name>
    <message numerus="yes">
        <source>%1, %2, %n thread(s)</source>
        <translation>
            <numerusform>%1, %2, %n thread</numerusform>
            <numerusform>%1, %2, %n threads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n without a result</source>
        <translation>
            <numerusform>%n without a result</numerusform>
            <numerusform>%n without a result</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other field(s) are equal.</source>
        <translation>
            <numerusform>%n other field is equal.</numerusform>
            <numerusform>%n other fields are equal.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n read from logs</source>
        <translation>
            <numerusform>%n read from logs</numerusform>
            <numerusform>%n read from logs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n plan(s), one a seed</source>
        <translation>
            <numerusform>%n plan</numerusform>
            <numerusform>%n plans, one a seed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n different</source>
        <translation>
            <numerusform>%n</numerusform>
            <numerusform>%n different</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sextant::RunModel</name>
    <message numerus="yes">
        <source>%1, seed %2, read from a log, %n curve(s)</source>
        <translation>
            <numerusform>%1, seed %2, read from a log, %n curve</numerusform>
            <numerusform>%1, seed %2, read from a log, %n curves</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sextant::RunNotes</name>
    <message numerus="yes">
        <source>move %n run(s) to the trash</source>
        <translation>
            <numerusform>move %n run to the trash</numerusform>
            <numerusform>move %n runs to the trash</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sextant::SampleGallery</name>
    <message numerus="yes">
        <source>trained by Sextant; non-overlapping, mean of %n seed(s), band 95 % t interval</source>
        <translation>
            <numerusform>trained by Sextant; non-overlapping, one seed</numerusform>
            <numerusform>trained by Sextant; non-overlapping, mean of %n seeds, band 95 % t interval</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sextant::StartPage</name>
    <message numerus="yes">
        <source>CPU, %n thread(s)</source>
        <translation>
            <numerusform>CPU, %n thread</numerusform>
            <numerusform>CPU, %n threads</numerusform>
        </translation>
    </message>
</context>
</TS>
