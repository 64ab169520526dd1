{{- /*
Names and labels are those of kubeflow's chart (spark-operator 2.5.2), so that `helm upgrade` replaces its objects in
place. The selector of a Deployment can never change, so its parts must not change either. With `--reuse-values` there
are only kubeflow's values: templates must work without the values that only this chart has.
*/}}

{{- define "kindling-operator.name" -}}
{{- .Values.nameOverride | default "spark-operator" | trunc 63 | trimSuffix "-" -}}
{{- end }}

{{- define "kindling-operator.fullname" -}}
{{- $name := .Values.nameOverride | default "spark-operator" -}}
{{- $release := ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) -}}
{{- .Values.fullnameOverride | default $release | trunc 63 | trimSuffix "-" -}}
{{- end }}

{{- /* The name of the Deployment, of its account, and of all its rights. */}}
{{- define "kindling-operator.controllerName" -}}
{{ include "kindling-operator.fullname" . }}-controller
{{- end }}

{{- define "kindling-operator.leaseName" -}}
{{ include "kindling-operator.controllerName" . }}-lock
{{- end }}

{{- define "kindling-operator.controllerAccount" -}}
{{- $own := ternary (include "kindling-operator.controllerName" .) "default" .Values.controller.serviceAccount.create -}}
{{ .Values.controller.serviceAccount.name | default $own }}
{{- end }}

{{- /* The name of the account that drivers run as, and of its rights. */}}
{{- define "kindling-operator.sparkAccount" -}}
{{- $own := ternary (printf "%s-spark" (include "kindling-operator.fullname" .)) "default" .Values.spark.serviceAccount.create -}}
{{ .Values.spark.serviceAccount.name | default $own }}
{{- end }}

{{- define "kindling-operator.hookName" -}}
{{ include "kindling-operator.fullname" . }}-hook
{{- end }}

{{- define "kindling-operator.selectorLabels" -}}
app.kubernetes.io/name: {{ include "kindling-operator.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "kindling-operator.labels" -}}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version | replace "+" "_" }}
{{ include "kindling-operator.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "kindling-operator.controllerSelectorLabels" -}}
{{ include "kindling-operator.selectorLabels" . }}
app.kubernetes.io/component: controller
{{- end }}

{{- /* Name, namespace, labels and annotations of an object, on lines of their own. */}}
{{- define "kindling-operator.metadata" -}}
name: {{ .name }}
{{- with .namespace }}
namespace: {{ . }}
{{- end }}
labels:
  {{- include "kindling-operator.labels" .context | nindent 2 }}
  {{- with .component }}
  app.kubernetes.io/component: {{ . }}
  {{- end }}
{{- with .annotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
