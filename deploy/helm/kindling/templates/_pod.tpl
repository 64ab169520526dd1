{{/* Whether OpenShift says which user and groups pods have. */}}
{{- define "kindling.isOpenShift" -}}
{{- $value := toString .Values.openshift -}}
{{- if or (eq $value "true") (and (eq $value "auto") (.Capabilities.APIVersions.Has "security.openshift.io/v1")) -}}
true
{{- end -}}
{{- end }}

{{/* The common part of all pods: no rights on their node, as PodSecurity's level "restricted" requires. */}}
{{- define "kindling.podSecurity" -}}
securityContext:
  runAsNonRoot: true
  {{- if not (include "kindling.isOpenShift" .) }}
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  {{- end }}
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: {type: RuntimeDefault}
{{- end }}

{{- define "kindling.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
{{- end }}

{{/* The placement of pods, from the values of a service. */}}
{{- define "kindling.placement" -}}
{{- with .priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- range $field := list "nodeSelector" "tolerations" "affinity" "topologySpreadConstraints" }}
{{- with index $ $field }}
{{ $field }}:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end }}

{{/* A pod must be created again when a file has changed that its service reads only at its start. */}}
{{- define "kindling.podMetadata" -}}
labels:
  {{- include "kindling.labels" (dict "context" .context "component" .component) | nindent 2 }}
  {{- with .values.podLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
annotations:
  chart.kindling/settings: {{ .settings | sha256sum }}
  {{- with .values.podAnnotations }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{/*
The limit of the JavaScript heap in a container with this memory, in MiB: without a limit the heap grows until the
container is killed. The rest is for the program, about 56 MiB, and for connections; with little memory, this is the
larger part. Empty if the value is no plain amount.
*/}}
{{- define "kindling.heapMiB" -}}
{{- with include "kindling.mebibytes" . -}}
{{- $mebibytes := float64 . -}}
{{- maxf (mulf $mebibytes 0.4) (subf (mulf $mebibytes 0.7) 78) | floor | int64 -}}
{{- end -}}
{{- end }}

{{/* An amount of memory or of a disk in MiB; empty if the value is no plain amount. */}}
{{- define "kindling.mebibytes" -}}
{{- $amount := toString . -}}
{{- $units := dict "" 1 "k" 1000 "M" 1000000 "G" 1000000000 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776 -}}
{{- if regexMatch "^[0-9]+(\\.[0-9]+)?(k|M|G|Ki|Mi|Gi|Ti)?$" $amount -}}
{{- $number := float64 (regexFind "^[0-9.]+" $amount) -}}
{{- $unit := float64 (get $units (regexFind "[A-Za-z]*$" $amount)) -}}
{{- divf (mulf $number $unit) 1048576 -}}
{{- end -}}
{{- end }}
