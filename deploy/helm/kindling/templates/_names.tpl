{{/* Names are fixed, so that submitters and docs can name them: a namespace holds one installation. */}}

{{/* Namespaces of applications, separated by spaces. */}}
{{- define "kindling.namespaces" -}}
{{- join " " (.Values.namespaces | default (list .Release.Namespace) | uniq) -}}
{{- end }}

{{/* Name of an object of the whole cluster. */}}
{{- define "kindling.clusterName" -}}
kindling:{{ .context.Release.Namespace }}:{{ .component }}
{{- end }}

{{/* Labels that pods are chosen by: they never change. */}}
{{- define "kindling.selectorLabels" -}}
app.kubernetes.io/name: kindling-{{ .component }}
app.kubernetes.io/instance: {{ .context.Release.Name }}
{{- end }}

{{- define "kindling.labels" -}}
{{ include "kindling.selectorLabels" . }}
app.kubernetes.io/component: {{ .component }}
app.kubernetes.io/part-of: kindling
app.kubernetes.io/version: {{ .context.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .context.Release.Service }}
helm.sh/chart: {{ .context.Chart.Name }}-{{ .context.Chart.Version | replace "+" "_" }}
{{- end }}

{{/* Reference of an image. */}}
{{- define "kindling.image" -}}
{{- $images := .context.Values.images -}}
{{- $image := index $images .component -}}
{{- $name := printf "%s/%s" (trimSuffix "/" $images.registry) $image.name -}}
{{- if $image.digest -}}
{{ $name }}@{{ $image.digest }}
{{- else -}}
{{ $name }}:{{ $images.tag | default .context.Chart.AppVersion }}
{{- end -}}
{{- end }}
