{{- /* A list of the values that only kubeflow's chart uses. */}}
{{- define "kindling-operator.withoutEffect" }}
{{- if omit (.Values.webhook | default dict) "resourceQuotaEnforcement" }}
- webhook.*
{{- end }}
{{- range $name := list "certManager" "submitter" }}
{{- if index $.Values $name }}
- {{ $name }}.*
{{- end }}
{{- end }}
{{- range $name := list "logEncoder" "pprof" "workqueueRateLimiter" }}
{{- if index $.Values.controller $name }}
- controller.{{ $name }}
{{- end }}
{{- end }}
{{- end }}

{{- /* Values that neither chart knows: typing mistakes, or values of another version. Such a value must not prevent
   the upgrade of a release. */}}
{{- define "kindling-operator.unknown" }}
{{- range $section, $known := include "kindling-operator.knownValues" . | fromYaml }}
{{- $values := ternary $.Values (index $.Values $section) (eq $section "top") | default dict }}
{{- range $name := keys $values | sortAlpha }}
{{- if not (has $name $known) }}
- {{ ternary $name (printf "%s.%s" $section $name) (eq $section "top") }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{- define "kindling-operator.knownValues" }}
top: [admissionPolicy, certManager, commonLabels, controller, fullnameOverride, global, hook, image, kindling, nameOverride, networkPolicy, prometheus, spark, submitter, webhook]
image: [pullPolicy, pullSecrets, registry, repository, tag]
hook: [affinity, annotations, image, labels, nodeSelector, resources, tolerations, upgradeCrd]
controller: [affinity, annotations, auditLogPath, batchScheduler, defaultTimeToLiveSeconds, deploymentAnnotations, driverPodCreationGracePeriod, driverPodDisruptionBudget, env, envFrom, featureGates, hostUsers, kubeAPIBurst, kubeAPIQPS, labels, leaderElection, logEncoder, logLevel, maxTrackedExecutorPerApp, nodeSelector, podDisruptionBudget, podSecurityContext, pprof, priorityClassName, rbac, replicas, resources, revisionHistoryLimit, scheduledSparkApplicationTimestampPrecision, securityContext, serviceAccount, sidecars, tolerations, topologySpreadConstraints, uiIngress, uiService, volumeMounts, volumes, workers, workqueueRateLimiter]
spark: [jobNamespaceSelector, jobNamespaces, rbac, serviceAccount]
networkPolicy: [enabled, ingress, monitoring]
prometheus: [metrics, podMonitor]
{{- end }}
