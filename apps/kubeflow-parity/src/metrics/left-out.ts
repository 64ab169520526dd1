/** Metrics of kubeflow's operator that Kindling's leaves out on purpose, and why. */
export const LEFT_OUT: readonly { readonly names: RegExp; readonly why: string }[] = [
  { names: /^go_/, why: "There is no Go. `nodejs_*` tells of the runtime that there is." },
  { names: /^certwatcher_/, why: "No certificate is read: there is no webhook, and metrics are served in plain HTTP." },
  { names: /^controller_runtime_webhook_/, why: "There is no webhook." },
  {
    names: /^controller_runtime_reconcile_panics_total$/,
    why: "An exception is an error like others, and is in `controller_runtime_reconcile_errors_total`.",
  },
  {
    names: /^controller_runtime_terminal_reconcile_errors_total$/,
    why: "There are no errors that are not tried again.",
  },
];
