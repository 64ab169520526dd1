import { APP_DIR } from "../clusters/applications.ts";
import { conf, submitting, type Bench, type Mistakes } from "./bench.ts";

const SLEEP = `local://${APP_DIR}/sleep.py`;

/** A jar with main classes that is in every image of Spark. */
function sparksOwnJar({ fixtures }: Bench): string {
  return `local:///opt/spark/jars/spark-core_2.13-${fixtures.conf["spark.kindling.sparkVersion"] ?? ""}.jar`;
}

/** Mistakes that make an application fail while it runs. */
export const FAILING: Mistakes = {
  "no account for the driver": (bench) => ({
    args: submitting(bench, ...conf({ "spark.kubernetes.authenticate.driver.serviceAccountName": "default" }), SLEEP),
  }),
  "a class that is not in the jar": (bench) => ({
    args: submitting(bench, "--class", "org.example.Nope", sparksOwnJar(bench)),
  }),
  "a jar that is not in the image": (bench) => ({
    args: submitting(bench, "--class", "org.example.Main", "local:///opt/app/nosuch.jar"),
  }),
  "an exception in Python": (bench) => ({ args: submitting(bench, `local://${APP_DIR}/raise.py`, "driver") }),
  "an exception in Python, in an executor": (bench) => ({
    args: submitting(bench, "--num-executors", "1", `local://${APP_DIR}/raise.py`, "executor"),
  }),
  "an exception in Java": (bench) => ({
    args: submitting(bench, "--class", "org.apache.spark.deploy.history.HistoryServer", sparksOwnJar(bench)),
  }),
  "an exit code of one's own": (bench) => ({ args: submitting(bench, `local://${APP_DIR}/fail.py`, "3") }),
  "a driver that takes too much memory": (bench) => ({
    args: submitting(bench, `local://${APP_DIR}/greedy.py`),
  }),
  "executors with too little memory": (bench) => {
    // Java takes its whole heap at once, and needs more than that.
    const tooLittle = conf({
      "spark.executor.extraJavaOptions": "-XX:+AlwaysPreTouch",
      "spark.executor.memoryOverhead": "1m",
      // Otherwise Spark deletes a pod as soon as it has failed.
      "spark.kubernetes.executor.deleteOnTermination": "false",
      // Otherwise Spark may give up before the pods have been examined.
      "spark.executor.maxNumFailures": "1000",
    });
    return { args: submitting(bench, "--num-executors", "1", ...tooLittle, SLEEP) };
  },
  "a staging server that pods cannot reach": (bench) => ({
    args: submitting(
      bench,
      ...bench.staging.flags,
      ...conf({
        "spark.kindling.staging.internalUri": "http://127.0.0.1:9",
        "spark.kindling.localizer.timeout": "5s",
      }),
      "app.py",
    ),
  }),
};
