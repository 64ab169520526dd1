/** The scheduler's words without what stands behind them about preemption, which decides nothing. */
export function schedulerWords(message: string): string {
  return message
    .replace(/\s*(?:no new claims to deallocate, )?preemption: .*$/, "")
    .replace(/\.\s*(?:not found)?$/, "");
}

/**
 * What keeps the pod from every node, shortest form first where nodes differ: `Insufficient memory`, `untolerated taint`.
 * The scheduler writes `0/3 nodes are available: 1 Insufficient cpu, 2 Insufficient memory.`
 */
export function schedulingWord(message: string): string {
  const [, reasons = ""] = /nodes are available: (.*)$/.exec(schedulerWords(message)) ?? [];
  const counted = [...reasons.matchAll(/(\d+) ([^,]+(?:, that the pod didn't tolerate)?)/g)].map(
    ([, count, text = ""]) => ({ count: Number(count), text: text.trim() }),
  );
  const [most] = counted.sort((a, b) => b.count - a.count);
  if (most === undefined) return "Unschedulable";
  if (/taint/.test(most.text)) return "untolerated taint";
  if (/affinity|selector/.test(most.text)) return "no node matches";
  if (/Too many pods/.test(most.text)) return "Too many pods";
  return /^Insufficient [\w/-]+(?:\.[\w/-]+)*/.exec(most.text)?.[0] ?? most.text.slice(0, 40);
}

export function schedulingAdvice(message: string, role: "driver" | "executor"): string {
  const [, claim] = /persistentvolumeclaim "([^"]+)" not found/.exec(message) ?? [];
  if (claim !== undefined)
    return `make the persistent volume claim ${claim} in the pod's namespace, or correct its name`;
  if (/persistentvolumeclaim|unbound immediate PersistentVolumeClaims/i.test(message))
    return "a persistent volume claim of the pod is not bound: kubectl describe pvc says why";
  if (/Insufficient memory/.test(message))
    return `no node has that much memory free: lower spark.${role}.memory or spark.${role}.memoryOverhead, or add a node`;
  if (/Insufficient cpu/.test(message)) {
    const key = `spark.kubernetes.${role}.request.cores`;
    return `no node has that many cores free: lower ${key} (spark.${role}.cores where that is not set), or add a node`;
  }
  if (/Insufficient /.test(message)) return "no node has that much of this resource free: ask for less, or add a node";
  if (/Too many pods/.test(message)) return "the nodes hold as many pods as they may: wait, or add a node";
  if (/taint/.test(message))
    return `name a toleration in a pod template: spark.kubernetes.${role}.podTemplateFile; kubectl describe nodes shows the taints`;
  if (/affinity|selector/.test(message))
    return "no node has the labels that are asked for: check spark.kubernetes.node.selector.* and the pod template; kubectl get nodes --show-labels";
  return "kubectl describe nodes shows what the nodes have";
}
