{{- /* What the operator does where applications run: in one namespace, or in all. */}}
{{- define "kindling-operator.rules" }}
{{- $ingressWatch := and .Values.controller.uiIngress.enable .Values.controller.uiIngress.urlFormat }}
rules:
  # Applications: reading the served ones, creating those of schedules, and deleting those with an expired time to live.
  - apiGroups: [sparkoperator.k8s.io]
    resources: [sparkapplications]
    verbs: [get, list, watch, create, delete]
  # Schedules.
  - apiGroups: [sparkoperator.k8s.io]
    resources: [scheduledsparkapplications]
    verbs: [get, list, watch]
  # Connect servers, and deleting those with an expired time to live.
  - apiGroups: [sparkoperator.k8s.io]
    resources: [sparkconnects]
    verbs: [get, list, watch, delete]
  # Writing their status.
  - apiGroups: [sparkoperator.k8s.io]
    resources: [sparkapplications/status, scheduledsparkapplications/status, sparkconnects/status]
    verbs: [update]
  # Naming them as owners of other objects: the API server requires this right for blocking their deletion.
  - apiGroups: [sparkoperator.k8s.io]
    resources: [sparkapplications/finalizers, scheduledsparkapplications/finalizers, sparkconnects/finalizers]
    verbs: [update]
  # Drivers and Connect servers. Executors are only read, and end with their driver.
  - apiGroups: [""]
    resources: [pods]
    verbs: [get, list, watch, create, delete]
  # The driver's configuration and metrics, the executors' template of a Connect server, and the ConfigMap in which an installation of Kindling says how to submit.
  - apiGroups: [""]
    resources: [configmaps]
    verbs: [get, create, patch]
  # The driver's service, that of Spark's UI, and that of a Connect server.
  - apiGroups: [""]
    resources: [services]
    verbs: [get, list, watch, create, patch, delete]
  # The driver's further ingresses, and that of Spark's UI.
  - apiGroups: [networking.k8s.io]
    resources: [ingresses]
    verbs: [get,{{ if $ingressWatch }} list, watch,{{ end }} create, patch, delete]
  # The network policy that Spark makes from 4.2 on.
  - apiGroups: [networking.k8s.io]
    resources: [networkpolicies]
    verbs: [get, create, patch]
  # Which pods a namespace admits: its label for pod security.
  - apiGroups: [""]
    resources: [namespaces]
    verbs: [get]
  # Recording events about applications, and reading events about a failed pod.
  - apiGroups: [""]
    resources: [events]
    verbs: [list, create]
  {{- if ne (toString (dig "driverLogs" true (.Values.kindling | default dict))) "false" }}
  # kindling.driverLogs: why a driver failed.
  - apiGroups: [""]
    resources: [pods/log]
    verbs: [get]
  {{- end }}
  {{- if (.Values.controller.driverPodDisruptionBudget).enable }}
  # controller.driverPodDisruptionBudget.
  - apiGroups: [policy]
    resources: [poddisruptionbudgets]
    verbs: [get, create, patch, delete]
  {{- end }}
  {{- if .Values.controller.batchScheduler.enable }}
  # controller.batchScheduler: the gangs of Volcano and of kube-scheduler's plugins.
  - apiGroups: [scheduling.volcano.sh, scheduling.x-k8s.io]
    resources: [podgroups]
    verbs: [get, create, patch, delete]
  {{- end }}
  {{- if include "kindling-operator.enforcesQuota" . }}
  # webhook.resourceQuotaEnforcement.
  - apiGroups: [""]
    resources: [resourcequotas]
    verbs: [list]
  {{- end }}
  {{- with .Values.kindling }}
  {{- if .driverVolumeClaims }}
  # kindling.driverVolumeClaims.
  - apiGroups: [""]
    resources: [persistentvolumeclaims]
    verbs: [get, create, patch]
  {{- end }}
  {{- with .extraRules }}
  # Rules of kindling.extraRules.
  {{- toYaml . | nindent 2 }}
  {{- end }}
  {{- end }}
{{- end }}

{{- /* A gateway that is named by its service, as JSON of namespace, name and port; empty for a URI, and without a
   gateway. */}}
{{- define "kindling-operator.gatewayService" -}}
{{- $gateway := (.Values.kindling).gateway | default "" -}}
{{- if and $gateway (not (contains "://" $gateway)) -}}
{{- $parts := regexSplit "[/:]" $gateway -1 -}}
{{- $port := ternary (last $parts) "8081" (eq (len $parts) 3) -}}
{{- dict "namespace" (index $parts 0) "name" (index $parts 1) "port" $port | toJson -}}
{{- end -}}
{{- end }}

{{- define "kindling-operator.enforcesQuota" -}}
{{- if ((.Values.webhook).resourceQuotaEnforcement).enable }}yes{{ end -}}
{{- end }}

{{- /* Not empty if all namespaces are served, or all that match a selector. */}}
{{- define "kindling-operator.servesAll" -}}
{{- if or (not .Values.spark.jobNamespaces) (has "" .Values.spark.jobNamespaces) .Values.spark.jobNamespaceSelector }}yes{{ end -}}
{{- end }}
