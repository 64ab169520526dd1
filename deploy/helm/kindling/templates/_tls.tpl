{{/* Names and addresses of the values for a service's certificate, separated by spaces. */}}
{{- define "kindling.extraNames" -}}
{{- $names := .context.Values.tls.extraNames -}}
{{- if and (eq .component "connect") .context.Values.connect.address -}}
{{- $names = append $names (include "kindling.connectHost" .context) | uniq -}}
{{- end -}}
{{- join " " $names -}}
{{- end }}

{{/* The names in a service's certificate: those that pods, the API server and a port-forward use. */}}
{{- define "kindling.dnsNames" -}}
{{- $service := printf "kindling-%s" .component -}}
{{- $namespace := .context.Release.Namespace -}}
{{- $names := list
      $service
      (printf "%s.%s" $service $namespace)
      (printf "%s.%s.svc" $service $namespace)
      (printf "%s.%s.svc.%s" $service $namespace .context.Values.clusterDomain)
      "localhost" -}}
{{- range include "kindling.extraNames" . | splitList " " }}
{{- if and . (not (regexMatch "^[0-9.]+$|:" .)) }}{{ $names = append $names . }}{{ end }}
{{- end }}
{{- join " " $names -}}
{{- end }}

{{- define "kindling.ipAddresses" -}}
{{- $addresses := list "127.0.0.1" -}}
{{- range include "kindling.extraNames" . | splitList " " }}
{{- if regexMatch "^[0-9.]+$|:" . }}{{ $addresses = append $addresses . }}{{ end }}
{{- end }}
{{- join " " $addresses -}}
{{- end }}

{{/* The Secret with a service's certificate. */}}
{{- define "kindling.tlsSecret" -}}
{{- if eq .context.Values.tls.mode "secrets" -}}
{{ index .context.Values.tls.secrets .component }}
{{- else -}}
kindling-{{ .component }}-tls
{{- end -}}
{{- end }}

{{/* Whether the chart creates a CA: for its own certificates, or as cert-manager's issuer. */}}
{{- define "kindling.hasOwnCa" -}}
{{- $tls := .Values.tls -}}
{{- if or (eq $tls.mode "self-made") (and (eq $tls.mode "cert-manager") (not $tls.certManager.issuerRef)) -}}true{{- end -}}
{{- end }}

{{/*
The CA. It is created only once in a rendering, because each call would create another one, and is stored in the
values, which all files of a rendering share. An upgrade keeps the CA that is in the cluster.
*/}}
{{- define "kindling.ensureCa" -}}
{{- if not (hasKey .Values.tls "madeCa") -}}
{{- $data := dig "data" (dict) (lookup "v1" "Secret" .Release.Namespace "kindling-ca" | default (dict)) -}}
{{- if and (hasKey $data "tls.crt") (hasKey $data "tls.key") -}}
{{- $_ := set .Values.tls "madeCa" (buildCustomCert (index $data "tls.crt") (index $data "tls.key")) -}}
{{- else -}}
{{- $_ := set .Values.tls "madeCa" (genCA (printf "kindling %s" .Release.Namespace) (int .Values.tls.selfMade.days)) -}}
{{- end -}}
{{- end -}}
{{- end }}

{{/* CA certificates in PEM for a service; empty if they are not known yet. */}}
{{- define "kindling.caPem" -}}
{{- if include "kindling.hasOwnCa" .context -}}
{{- include "kindling.ensureCa" .context -}}
{{ .context.Values.tls.madeCa.Cert | trim }}
{{- else if .context.Values.tls.ca -}}
{{ .context.Values.tls.ca | trim }}
{{- else -}}
{{- $secret := lookup "v1" "Secret" .context.Release.Namespace (include "kindling.tlsSecret" .) | default (dict) -}}
{{ dig "data" (dict) $secret | dig "ca.crt" "" | b64dec | trim }}
{{- end -}}
{{- end }}

{{/* The files of a service's certificate in its pod. */}}
{{- define "kindling.tlsVolume" -}}
- name: tls
  projected:
    defaultMode: 0440
    sources:
      - secret:
          name: {{ include "kindling.tlsSecret" . }}
          items:
            - {key: tls.crt, path: tls.crt}
            - {key: tls.key, path: tls.key}
            {{- if not .context.Values.tls.ca }}
            - {key: ca.crt, path: ca.crt}
            {{- end }}
      {{- if .context.Values.tls.ca }}
      - configMap:
          name: kindling
          items:
            - {key: ca.crt, path: ca.crt}
      {{- end }}
{{- end }}

{{/* What a pod needs to ask the recorder: a token that only the recorder accepts, and the CA of its certificate. */}}
{{- define "kindling.recorderVolume" -}}
- name: recorder
  projected:
    defaultMode: 0440
    sources:
      - serviceAccountToken:
          audience: {{ include "kindling.recorderAudience" . }}
          expirationSeconds: 3600
          path: token
      {{- if .Values.tls.ca }}
      - configMap:
          name: kindling
          items:
            - {key: ca.crt, path: ca.crt}
      {{- else }}
      - secret:
          name: {{ include "kindling.tlsSecret" (dict "context" . "component" "recorder") }}
          # The gateway starts without it, and asks the recorder as soon as it is there.
          optional: true
          items:
            - {key: ca.crt, path: ca.crt}
      {{- end }}
{{- end }}
