{{- /* The flags of `controller start`, as kubeflow's chart writes them; a list of strings. */}}
{{- define "kindling-operator.flags" }}
{{- $controller := .Values.controller }}
{{- with $controller.logLevel }}
- {{ printf "--zap-log-level=%s" . | quote }}
{{- end }}
{{- with $controller.auditLogPath }}
- {{ printf "--audit-log-path=%s" . | quote }}
{{- end }}
{{- /* All namespaces are served if neither is set; kubeflow's chart writes this as a list with an empty text in it. */}}
{{- if not (has "" .Values.spark.jobNamespaces) }}
{{- with .Values.spark.jobNamespaces }}
- {{ printf "--namespaces=%s" (join "," .) | quote }}
{{- end }}
{{- with .Values.spark.jobNamespaceSelector }}
- {{ printf "--namespace-selector=%s" . | quote }}
{{- end }}
{{- end }}
- {{ printf "--controller-threads=%d" (int64 $controller.workers) | quote }}
{{- include "kindling-operator.uiFlags" $controller }}
{{- with $controller.batchScheduler }}
{{- if .enable }}
- --enable-batch-scheduler=true
{{- with .kubeSchedulerNames }}
- {{ printf "--kube-scheduler-names=%s" (join "," .) | quote }}
{{- end }}
{{- with .default }}
- {{ printf "--default-batch-scheduler=%s" . | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- include "kindling-operator.metricsFlags" .Values.prometheus.metrics }}
{{- with $controller.leaderElection }}
- {{ printf "--leader-election=%t" .enable | quote }}
{{- if .enable }}
- {{ printf "--leader-election-lock-name=%s" (include "kindling-operator.leaseName" $) | quote }}
- {{ printf "--leader-election-lock-namespace=%s" $.Release.Namespace | quote }}
{{- with .leaseDuration }}
- {{ printf "--leader-election-lease-duration=%s" . | quote }}
{{- end }}
{{- with .renewDeadline }}
- {{ printf "--leader-election-renew-deadline=%s" . | quote }}
{{- end }}
{{- with .retryPeriod }}
- {{ printf "--leader-election-retry-period=%s" . | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- with $controller.driverPodCreationGracePeriod }}
- {{ printf "--driver-pod-creation-grace-period=%s" . | quote }}
{{- end }}
{{- with $controller.maxTrackedExecutorPerApp }}
- {{ printf "--max-tracked-executor-per-app=%d" (int64 .) | quote }}
{{- end }}
{{- if gt (int64 (default 0 $controller.defaultTimeToLiveSeconds)) 0 }}
- {{ printf "--default-time-to-live-seconds=%d" (int64 $controller.defaultTimeToLiveSeconds) | quote }}
{{- end }}
{{- if ($controller.driverPodDisruptionBudget).enable }}
- --enable-driver-pdb=true
{{- end }}
{{- if include "kindling-operator.enforcesQuota" . }}
- --enforce-resource-quota=true
{{- end }}
{{- with $controller.kubeAPIQPS }}
- {{ printf "--kube-api-qps=%v" . | quote }}
{{- end }}
{{- with $controller.kubeAPIBurst }}
- {{ printf "--kube-api-burst=%d" (int64 .) | quote }}
{{- end }}
{{- with $controller.scheduledSparkApplicationTimestampPrecision }}
- {{ printf "--scheduled-spark-application-timestamp-precision=%s" . | quote }}
{{- end }}
{{- with $controller.featureGates }}
{{- $gates := list }}
{{- range . }}
{{- $gates = append $gates (printf "%s=%t" .name .enabled) }}
{{- end }}
- {{ printf "--feature-gates=%s" (join "," $gates) | quote }}
{{- end }}
{{- with .Values.kindling }}
{{- with .submissions }}
- {{ printf "--submissions=%d" (int64 .) | quote }}
{{- end }}
{{- with .gateway }}
- {{ printf "--gateway=%s" . | quote }}
{{- end }}
{{- end }}
{{- end }}

{{- define "kindling-operator.uiFlags" }}
- {{ printf "--enable-ui-service=%t" .uiService.enable | quote }}
{{- with .uiIngress }}
{{- if .enable }}
{{- with .urlFormat }}
- {{ printf "--ingress-url-format=%s" . | quote }}
{{- end }}
{{- with .ingressClassName }}
- {{ printf "--ingress-class-name=%s" . | quote }}
{{- end }}
{{- with .tls }}
- {{ printf "--ingress-tls=%s" (toJson .) | quote }}
{{- end }}
{{- with .annotations }}
- {{ printf "--ingress-annotations=%s" (toJson .) | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{- define "kindling-operator.metricsFlags" }}
{{- if .enable }}
- --enable-metrics=true
- {{ printf "--metrics-bind-address=:%d" (int64 .port) | quote }}
- {{ printf "--metrics-endpoint=%s" .endpoint | quote }}
- {{ printf "--metrics-prefix=%s" (default "" .prefix) | quote }}
- {{ printf "--metrics-labels=%s" (default "app_type" .labels) | quote }}
- {{ printf "--metrics-job-submit-latency-buckets=%s" .jobSubmitLatencyBuckets | quote }}
- {{ printf "--metrics-job-start-latency-buckets=%s" .jobStartLatencyBuckets | quote }}
{{- end }}
{{- end }}
