/** A Kubernetes event about an application, by stock's reasons and texts (kubeflow/spark-operator v2.5.2, pkg/common/event.go). */
export interface ApplicationEvent {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

export function normal(reason: string, message: string): ApplicationEvent {
  return { type: "Normal", reason, message };
}

export function warning(reason: string, message: string): ApplicationEvent {
  return { type: "Warning", reason, message };
}
