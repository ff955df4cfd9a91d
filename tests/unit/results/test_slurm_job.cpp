#include <QtTest>

#include "core/run/slurm_job.h"

using namespace sextant;

class TestSlurmJob : public QObject {
    Q_OBJECT
  private slots:
    void array_specifications_are_short() {
        QCOMPARE(slurm_array({0, 1, 2, 5}, 2), std::string("0-2,5%2"));
        QCOMPARE(slurm_array({7}, 0), std::string("7"));
        QCOMPARE(slurm_array({1, 3, 4}, 0), std::string("1,3-4"));
    }
    void the_script_quotes_paths_and_names_one_task_a_plan() {
        SlurmRequest request;
        request.program = "/opt/a b/sextant-cli";
        request.experiment = "/data/it's/experiment.json";
        request.project = "/data/it's";
        request.name = "name; rm -rf \"x\"\n#SBATCH --uid=0";
        request.tasks = {0, 1, 2};
        request.cpus = 4;
        request.partition = "long";
        request.time = "1:00:00";
        request.max_parallel = 2;
        const QString script = QString::fromStdString(slurm_script(request));
        QVERIFY(script.startsWith("#!/bin/bash\n"));
        QVERIFY(script.contains("\n#SBATCH --array=0-2%2\n"));
        QVERIFY(script.contains("\n#SBATCH --cpus-per-task=4\n"));
        QVERIFY(script.contains("\n#SBATCH --requeue\n"));
        QVERIFY(
            script.contains("'/opt/a b/sextant-cli' run '/data/it'\\''s/experiment.json' --project '/data/it'\\''s' "
                            "--task \"$SLURM_ARRAY_TASK_ID\""));
        QVERIFY(!script.contains("\n#SBATCH --uid"));  // a name makes no directive of its own
        QVERIFY(!script.contains("rm -rf"));
        QCOMPARE(script.count("exec "), 1);
    }
    void squeue_lines_are_read() {
        const auto tasks =
            parse_squeue("12_0|RUNNING|None\n12_1|PENDING|Resources\nslurm_load_jobs error\n13|COMPLETED|None\n");
        QCOMPARE(tasks.size(), std::size_t{3});
        QCOMPARE(tasks[1].task, std::int64_t{1});
        QCOMPARE(tasks[1].reason, std::string("Resources"));
        QCOMPARE(tasks[2].task, std::int64_t{-1});
    }
    void times_and_names_are_checked() {
        for (const char* good : {"30", "1:30:00", "2-00:00:00", "90:00", "UNLIMITED"})
            QVERIFY(valid_slurm_time(good));
        for (const char* bad : {"", "1h", "-1", "1:2:3:4", "1;reboot"})
            QVERIFY(!valid_slurm_time(bad));
        QVERIFY(valid_slurm_word("gpu-long,short"));
        QVERIFY(!valid_slurm_word("a b") && !valid_slurm_word("--uid=0"));
    }
};

QTEST_APPLESS_MAIN(TestSlurmJob)
#include "test_slurm_job.moc"
