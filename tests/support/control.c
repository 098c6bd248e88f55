/* SPDX-License-Identifier: Apache-2.0 */
/* See control.h. */
#include "support/control.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <curl/curl.h>

#define REPLY_MAX (8U << 20)

struct reply {
    char *text;
    size_t len;
};

bool control_parse_ready(const char *json, struct control *out)
{
    cJSON *o = cJSON_Parse(json);
    const cJSON *url = cJSON_GetObjectItemCaseSensitive(o, "url");
    const cJSON *token = cJSON_GetObjectItemCaseSensitive(o, "token");
    bool good = cJSON_IsString(url) && cJSON_IsString(token);

    if (good) {
        snprintf(out->url, sizeof(out->url), "%s", url->valuestring);
        snprintf(out->token, sizeof(out->token), "%s", token->valuestring);
    }
    cJSON_Delete(o);
    return good;
}

static size_t take(char *bytes, size_t size, size_t count, void *user)
{
    struct reply *r = user;
    size_t n = size * count;
    if (r->len + n > REPLY_MAX)
        return 0;
    char *grown = realloc(r->text, r->len + n + 1);
    if (!grown)
        return 0;
    memcpy(grown + r->len, bytes, n);
    r->text = grown;
    r->len += n;
    r->text[r->len] = '\0';
    return n;
}

static CURLcode perform(const char *url, const char *body, struct reply *reply, long *status)
{
    CURL *easy = curl_easy_init();
    struct curl_slist *headers = curl_slist_append(NULL, "Content-Type: application/json");
    CURLcode code = CURLE_OUT_OF_MEMORY;

    if (easy && headers) {
        curl_easy_setopt(easy, CURLOPT_URL, url);
        curl_easy_setopt(easy, CURLOPT_PROXY, "");
        curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, 20000L);
        curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
        curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take);
        curl_easy_setopt(easy, CURLOPT_WRITEDATA, reply);
        if (body) {
            curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
            curl_easy_setopt(easy, CURLOPT_POSTFIELDS, body);
        }
        code = curl_easy_perform(easy);
        curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, status);
    }
    curl_slist_free_all(headers);
    curl_easy_cleanup(easy);
    return code;
}

cJSON *control_call(const struct control *c, const char *path, const cJSON *body, char *why,
                    size_t why_size)
{
    char url[512];
    struct reply reply = {0};
    long status = 0;
    cJSON *out = NULL;
    char *text = body ? cJSON_PrintUnformatted(body) : NULL;

    snprintf(url, sizeof(url), "%s%s", c->url, path);
    CURLcode code = perform(url, text, &reply, &status);
    if (code != CURLE_OK)
        snprintf(why, why_size, "%s: %s", url, curl_easy_strerror(code));
    else if (status < 200 || status > 299)
        snprintf(why, why_size, "%s %s: status %ld: %s", path, text ? text : "", status,
                 reply.text ? reply.text : "");
    else if (!(out = cJSON_Parse(reply.text ? reply.text : "")))
        snprintf(why, why_size, "%s: no JSON: %s", path, reply.text ? reply.text : "");
    free(reply.text);
    cJSON_free(text);
    return out;
}

int control_count_calls(const struct control *c, const char *tool)
{
    char why[256];
    int count = 0;
    cJSON *all = control_call(c, "/sim/calls", NULL, why, sizeof(why));
    const cJSON *calls = cJSON_IsArray(all) ? all : cJSON_GetObjectItemCaseSensitive(all, "calls");
    const cJSON *call;

    if (!cJSON_IsArray(calls))
        count = -1;
    cJSON_ArrayForEach(call, calls)
    {
        const cJSON *name = cJSON_GetObjectItemCaseSensitive(call, "tool");
        if (strcmp(tool, "*") == 0 ||
            (cJSON_IsString(name) && strcmp(name->valuestring, tool) == 0))
            count++;
    }
    cJSON_Delete(all);
    return count;
}
