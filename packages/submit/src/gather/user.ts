import { userInfo } from "node:os";
import type { Env } from "@kindling/outside";

/** Whom Spark runs as where nobody is named and this machine may not be asked: the user of Spark's own images. */
export const IMAGE_USER = "spark";

/** Utils.getCurrentUserName without Hadoop's login: whom spark-submit acts for, what HADOOP_USER_NAME says, or the system. */
export function sparkUser(env: Env, proxyUser: string | undefined): string {
  return env["SPARK_USER"] ?? proxyUser ?? env["HADOOP_USER_NAME"] ?? systemUser();
}

/** The name of the process's user or, where the system has none for it, as in many containers, the number. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.geteuid?.() ?? "unknown");
  }
}
