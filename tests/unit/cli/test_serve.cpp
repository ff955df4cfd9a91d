// The service as the window uses it: the real program, one JSON object a line.
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "core/tensor_file/npy.h"

class TestServe : public QObject {
    Q_OBJECT
    QTemporaryDir runtime_;
    QProcess process_;
    const QString models_ = QString(SEXTANT_SHARED_DIR) + "/models/stories260K";

    QJsonObject line() {
        for (int tick = 0; tick < 600 && !process_.canReadLine(); ++tick)
            process_.waitForReadyRead(100);
        return QJsonDocument::fromJson(process_.readLine()).object();
    }
    // The reply to `id`; progress messages are passed over.
    QJsonObject reply(const QJsonValue& id) {
        for (int i = 0; i < 1000; ++i) {
            const QJsonObject message = line();
            if (message.isEmpty() || (message["id"] == id && message.contains("ok"))) return message;
        }
        return {};
    }
    void send(const QJsonObject& request) {
        process_.write(QJsonDocument(request).toJson(QJsonDocument::Compact) + "\n");
    }
    QJsonObject ask(const QString& method, const QJsonObject& params) {
        static int id = 0;
        send({{"id", ++id}, {"method", method}, {"params", params}});
        return reply(id);
    }
    QJsonObject model(QJsonObject params = {}) {
        params["model"] = models_;
        params["tokenizer"] = models_ + "/tok512.bin";
        return params;
    }
    bool haveModels() { return QFileInfo::exists(models_ + "/model.safetensors"); }

  private slots:
    void init() {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("XDG_RUNTIME_DIR", runtime_.path());
        process_.setProcessEnvironment(environment);
        process_.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        process_.start(qEnvironmentVariable("SEXTANT_CLI"), {"serve"});
        QVERIFY(process_.waitForStarted(60000));
        const QJsonObject ready = line();
        QCOMPARE(ready["ready"].toBool(), true);
        QCOMPARE(ready["protocol"].toInt(), 1);
    }
    void cleanup() {
        process_.closeWriteChannel();
        QVERIFY(process_.waitForFinished(60000));
        QCOMPARE(process_.exitCode(), 0);
        QVERIFY(QDir(runtime_.path()).isEmpty());  // arrays go with the process
    }

    void tablesAreTheCommandsTables() {
        const QJsonObject slopes =
            ask("tables", {{"encoding", "alibi"}, {"what", "slopes"}, {"heads", 8}})["result"].toObject();
        QCOMPARE(slopes["shape"].toArray(), QJsonArray{8});
        for (int h = 0; h < 8; ++h)
            QCOMPARE(slopes["values"].toArray()[h].toDouble(), std::pow(2.0, -(h + 1)));
        const QJsonObject bias =
            ask("tables", {{"encoding", "alibi"}, {"what", "bias"}, {"heads", 8}, {"length", 3}})["result"].toObject();
        QCOMPARE(bias["values"].toArray()[0].toArray()[2].toArray(), (QJsonArray{-1.0, -0.5, 0.0}));
        QCOMPARE(bias["values"].toArray()[0].toArray()[0].toArray()[1].toString(), QString("-inf"));
    }

    void errorsHaveTheCommandsCodes() {
        QCOMPARE(ask("juggle", {})["error"].toObject()["code"].toInt(), 2);
        QCOMPARE(ask("attend", {})["error"].toObject()["code"].toInt(), 2);
        QCOMPARE(ask("describe", {{"model", "/nowhere/at/all"}})["error"].toObject()["code"].toInt(), 4);
        process_.write("{\"id\": 1, \"method\"\n");
        const QJsonObject broken = line();
        QCOMPARE(broken["ok"].toBool(true), false);
        QVERIFY(broken["error"].toObject()["message"].toString().contains("line 1"));
        QCOMPARE(ask("cancel", {{"id", 12345}})["result"].toObject()["cancelled"].toBool(true), false);
    }

    void attentionOfARealModel() {
        if (!haveModels()) QSKIP("the models folder of SEXTANT_SHARED_DIR is not there");
        const QJsonObject reply = ask("attend", model({{"text", "Once upon a time"}, {"layer", 1}, {"head", 2}}));
        QVERIFY2(reply["ok"].toBool(), qPrintable(reply["error"].toObject()["message"].toString()));
        const QJsonObject result = reply["result"].toObject();
        const QJsonArray rows = result["values"].toArray()[0].toArray()[0].toArray();
        QCOMPARE(rows.size(), result["tokens"].toArray().size());
        for (int q = 0; q < rows.size(); ++q) {
            double sum = 0.0;
            for (int k = 0; k < rows.size(); ++k) {
                const double weight = rows[q].toArray()[k].toDouble();
                sum += weight;
                if (k > q) QCOMPARE(weight, 0.0);
            }
            QVERIFY(std::abs(sum - 1.0) < 1e-6);
        }
        QCOMPARE(ask("attend", model({{"text", "Once"}, {"layer", 9}}))["error"].toObject()["code"].toInt(), 2);
    }

    void largeArraysAreFilesUntilReleased() {
        if (!haveModels()) QSKIP("the models folder of SEXTANT_SHARED_DIR is not there");
        const QString text = QString("Once upon a time there was a cat. ").repeated(10);
        const QJsonObject result = ask("attend", model({{"text", text}}))["result"].toObject();
        const QString file = result["npy"].toString();
        QVERIFY(file.startsWith(runtime_.path() + "/sextant-"));
        QCOMPARE(QFileInfo(QFileInfo(file).path()).permissions() &
                     (QFileDevice::ReadGroup | QFileDevice::ReadOther | QFileDevice::WriteOther),
                 QFileDevice::Permissions());
        const auto array = sextant::read_npy(file.toStdString());
        QVERIFY(array.ok());
        const auto length = static_cast<std::int64_t>(result["tokens"].toArray().size());
        QCOMPARE(array->shape, (sextant::Shape{5, 8, length, length}));
        QVERIFY(ask("release", {{"path", file}})["ok"].toBool());
        QVERIFY(!QFileInfo::exists(file));
    }

    void generationContinuesAPrompt() {
        if (!haveModels()) QSKIP("the models folder of SEXTANT_SHARED_DIR is not there");
        const QJsonObject result =
            ask("generate", model({{"prompt", "Once upon a time"}, {"tokens", 8}}))["result"].toObject();
        QCOMPARE(result["text"].toString(), QString("Once upon a time, there was a little girl"));
    }

    void aRequestInTheQueueCanBeCancelled() {
        if (!haveModels()) QSKIP("the models folder of SEXTANT_SHARED_DIR is not there");
        send({{"id", "first"}, {"method", "generate"}, {"params", model({{"prompt", ""}, {"tokens", 500}})}});
        send({{"id", "second"}, {"method", "generate"}, {"params", model({{"prompt", ""}, {"tokens", 500}})}});
        send({{"id", "c"}, {"method", "cancel"}, {"params", QJsonObject{{"id", "second"}}}});
        bool cancelled = false;
        for (int replies = 0; replies < 3;) {
            const QJsonObject message = line();
            QVERIFY(!message.isEmpty());
            if (!message.contains("ok")) continue;
            ++replies;
            if (message["id"] == "second") {
                QCOMPARE(message["error"].toObject()["code"].toInt(), 130);
                cancelled = true;
            }
        }
        QVERIFY(cancelled);
    }
};

QTEST_GUILESS_MAIN(TestServe)
#include "test_serve.moc"
