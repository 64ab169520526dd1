/** What Airflow knows about a submission to Kubernetes in cluster mode. */
export interface AirflowView {
  readonly driverPod: string | undefined;
  readonly applicationId: string | undefined;
  readonly exitCode: number | undefined;
  /** The part of the log in the message of a failed task: the last 20 lines, or everything from an exception on. */
  readonly tail: readonly string[];
}

/**
 * Reads the lines as Airflow does (provider apache-spark 6.3.4, `SparkSubmitHook._process_spark_submit_log`): stripped,
 * one by one, with these regular expressions.
 */
export function airflowReads(lines: readonly string[]): AirflowView {
  let driverPod: string | undefined;
  let applicationId: string | undefined;
  let exitCode: number | undefined;
  let tail: string[] = [];
  let hasException = false;
  for (const line of lines) {
    driverPod = /\s*pod name: ((.+?)-([a-z0-9]+)-driver$)/.exec(line)?.[1] ?? driverPod;
    driverPod ??= /submission ID spark:(.+?-driver)/.exec(line)?.[1];
    applicationId = /\s*spark-app-selector -> (spark-([a-z0-9]+)), /.exec(line)?.[1] ?? applicationId;
    const code = /\s*[eE]xit code: (\d+)/.exec(line)?.[1];
    if (code !== undefined) exitCode = Number(code);
    if (!hasException && /Exception in thread "[^"]*"/.test(line)) {
      hasException = true;
      tail = [];
    }
    tail = [...tail, line].slice(hasException ? -500 : -20);
  }
  return { driverPod, applicationId, exitCode, tail };
}

/**
 * Whether the task succeeds (`SparkSubmitHook.submit`); if the driver is followed through the API, the exit code is not
 * needed.
 */
export function taskSucceeds({ exitCode }: AirflowView, returnCode: number | null, tracked = false): boolean {
  return returnCode === 0 && (tracked || exitCode === 0);
}
