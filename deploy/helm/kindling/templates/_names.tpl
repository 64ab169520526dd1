{{/* The sources of the API server's connections to pods, as peers of a NetworkPolicy: from the values, otherwise as
   far as they are known. */}}
{{- define "kindling.apiServerPeers" -}}
{{- if .Values.networkPolicy.apiServer -}}
{{- toYaml .Values.networkPolicy.apiServer -}}
{{- else -}}
{{- range (lookup "discovery.k8s.io/v1" "EndpointSlice" "default" "kubernetes").endpoints }}
{{- range .addresses }}
- ipBlock: {cidr: {{ printf "%s/%d" . (ternary 128 32 (contains ":" .)) | quote }}}
{{- end }}
{{- end }}
- namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: kube-system}}
  podSelector: {matchLabels: {k8s-app: konnectivity-agent}}
{{- end -}}
{{- end }}

{{/* Names are fixed, so that submitters and docs can name them: a namespace holds one installation. */}}

{{/* Namespaces of applications, separated by spaces. */}}
{{- define "kindling.namespaces" -}}
{{- join " " (.Values.namespaces | default (list .Release.Namespace) | uniq) -}}
{{- end }}

{{/*
Fails if namespaces of applications do not exist: Helm would create the objects in other namespaces, and report each
missing one separately. The namespace of the installation may be created later (`--create-namespace`). Without a
cluster, as in `helm template`, nothing is known about namespaces.
*/}}
{{- define "kindling.checkNamespaces" -}}
{{- if lookup "v1" "Namespace" "" "default" -}}
{{- $missing := list -}}
{{- range $namespace := include "kindling.namespaces" . | splitList " " -}}
{{- if and (ne $namespace $.Release.Namespace) (not (lookup "v1" "Namespace" "" $namespace)) }}{{ $missing = append $missing $namespace }}{{ end -}}
{{- end -}}
{{- with $missing -}}
{{- fail (printf "namespaces: not in the cluster: %s; make them first (kubectl create namespace %s), or take them out" (join ", " .) (first .)) -}}
{{- end -}}
{{- end -}}
{{- end }}

{{/* The name of a cluster-wide object. */}}
{{- define "kindling.clusterName" -}}
kindling:{{ .context.Release.Namespace }}:{{ .component }}
{{- end }}

{{/* Labels that select pods: they never change. */}}
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

{{- /* The rights of submitters in a namespace of applications, also those of the submission service. */}}
{{- define "kindling.submitterRules" -}}
# Submitting, following and ending applications.
- apiGroups: [""]
  resources: [pods]
  verbs: [get, list, watch, create, patch, delete]
# What a driver's pod needs: its service, its configuration, its secrets.
- apiGroups: [""]
  resources: [services, configmaps, secrets]
  verbs: [create, patch, delete]
# `kindling status`: why an application waits or has failed.
- apiGroups: [""]
  resources: [services, configmaps, events]
  verbs: [get, list, watch]
# `kindling logs` and `--logs`.
- apiGroups: [""]
  resources: [pods/log]
  verbs: [get]
# The network policy that Spark makes from 4.2 on.
- apiGroups: [networking.k8s.io]
  resources: [networkpolicies]
  verbs: [get, create, patch, delete]
# Which pods this namespace admits: its label for pod security.
- apiGroups: [""]
  resources: [namespaces]
  verbs: [get]
{{- end }}
