import type { LogLine } from "./log-position.ts";

const NOTICE =
  /^(?:unable to retrieve container logs for [a-z-]+:\/\/[0-9a-z]+|failed to try resolving symlinks in path "[^"]+": .*)$/i;

/**
 * Whether a line of a log that was asked for with its times is the kubelet's. A kubelet that does not have a log, or has it no
 * more, says so as if the container had, but without a time (Kubernetes 1.34, pkg/kubelet/kuberuntime/kuberuntime_container.go,
 * logs/logs.go).
 */
export function isKubeletNotice({ time, text }: Pick<LogLine, "time" | "text">): boolean {
  return time === undefined && NOTICE.test(text);
}
