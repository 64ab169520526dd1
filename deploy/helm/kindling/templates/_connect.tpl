{{/*
Fails if profiles cannot be used, which a schema cannot express. The service would leave them out, and without any of
them it would not start.
*/}}
{{- define "kindling.checkProfiles" -}}
{{- if not .Values.connect.profiles }}{{ fail "connect.profiles: describe at least one profile, such as small: {namespace: etl, image: apache/spark:4.3.0}" }}{{ end -}}
{{- $namespaces := include "kindling.namespaces" . | splitList " " -}}
{{- range $name, $profile := .Values.connect.profiles -}}
{{- if not (has $profile.namespace $namespaces) -}}
{{- fail (printf "connect.profiles: profile %s: applications do not run in namespace %s; take one of %s, or name it in the value namespaces" $name $profile.namespace (join ", " $namespaces)) -}}
{{- end -}}
{{- end -}}
{{- $usual := index .Values.connect.settings "profiles.default" -}}
{{- if and $usual (not (hasKey .Values.connect.profiles $usual)) -}}
{{- fail (printf "connect.settings: profiles.default: there is no profile %s in connect.profiles" $usual) -}}
{{- end -}}
{{- end }}

{{/*
The key by which drivers know the service, in base64. An upgrade keeps that of the cluster. With a Secret of the user's
own, its name.
*/}}
{{- define "kindling.driversKey" -}}
{{- with .Values.connect.driversKeySecret -}}
{{ . }}
{{- else -}}
{{- $there := lookup "v1" "Secret" .Release.Namespace "kindling-connect-drivers" | default (dict) -}}
{{ dig "data" "key" (randAlphaNum 48 | b64enc) $there }}
{{- end -}}
{{- end }}

{{/* The host of the address that the values give, without a port and without the brackets of an IPv6 address. */}}
{{- define "kindling.connectHost" -}}
{{- regexReplaceAll ":[0-9]+$" .Values.connect.address "" | trimPrefix "[" | trimSuffix "]" -}}
{{- end }}

{{/*
How clients reach the service. Empty if the values do not say: a load balancer's address is in the status of its service,
and only the service has the port of a node.
*/}}
{{- define "kindling.connectUri" -}}
{{- $connect := .Values.connect -}}
{{- if $connect.address -}}
sc://{{ $connect.address }}{{ if not (regexMatch ":[0-9]+$" $connect.address) }}:443{{ end }}/;use_ssl=true
{{- else if eq $connect.service.type "ClusterIP" -}}
sc://kindling-connect.{{ .Release.Namespace }}.svc:443/;use_ssl=true
{{- end -}}
{{- end }}

{{/* What `kindling connect` finds. */}}
{{- define "kindling.connectProperties" -}}
{{- if .context.Values.connect.enabled -}}
{{- with include "kindling.connectUri" .context }}{{ $_ := set $.onto "spark.kindling.connect.uri" . }}{{ end -}}
{{- if index .context.Values.connect.settings "auth.audiences" -}}
{{- $_ := set .onto "spark.kindling.connect.audience" (include "kindling.connectAudience" .context) -}}
{{- end -}}
{{- end -}}
{{- end }}

{{/* The audience of tokens for the service. */}}
{{- define "kindling.connectAudience" -}}
{{- with index .Values.connect.settings "auth.audiences" -}}
{{ include "kindling.settingText" . | splitList "," | first }}
{{- else -}}
kindling-connect
{{- end -}}
{{- end }}
