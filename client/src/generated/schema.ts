// Generated from the OpenAPI document by `npm run generate`; do not edit.
export interface paths {
    "/v1/auth-check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that a key works
         * @description Passes every gate that other calls pass and reports what they found: the broker, the key, its scopes, the address seen and the rate limit. Needs no scope and changes nothing.
         *
         *     Scope: none.
         */
        get: operations["checkAccess"];
        put?: never;
        /**
         * Check that a key may create services
         * @description Succeeds for keys with one of the scopes and creates nothing. A body, if any, is ignored. That the GET succeeds does not mean that this does.
         *
         *     Scope: `services:write` or `admin:full`.
         */
        post: operations["checkAuthorization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/services": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List services
         * @description Newest first. Every filter takes one value and all that are given must hold. With `updated_since` those that changed first come first, so that a copy can be kept in step: go on with the `updated_date` and `service_number` of the last item as `updated_since` and `after_number` until a page is not full; begin the next round at the `X-Server-Date` of the first answer of this one, less a minute. `total` then stops at 10000.
         *
         *     Scope: `services:read` or `admin:full`.
         */
        get: operations["listServices"];
        put?: never;
        /**
         * Create a service
         * @description The service is pending until the work is done. Under an idempotency key that was used before, the first answer is repeated whatever the body says.
         *
         *     Scope: `services:write` or `admin:full`.
         */
        post: operations["createService"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/services/{service_number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a service
         * @description The service as it stands, with its plan and the request about it that is open.
         *
         *     Scope: `services:read` or `admin:full`.
         */
        get: operations["getService"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/services/{service_number}/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Update a service
         * @description Changes its label, your reference, the client's name or address; what is left out stays as it is. It is done at once, without a request. A service that is cancelled or terminated can no longer be changed.
         *
         *     Scope: `services:write` or `admin:full`.
         */
        post: operations["updateService"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/services/{service_number}/upgrade-options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See which plans a service can be upgraded to
         * @description Computed by the rules that guard the upgrade itself; each plan that is out of reach comes with the reason.
         *
         *     Scope: `services:read` or `admin:full`.
         */
        get: operations["listUpgradeOptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/services/{service_number}/upgrade": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move a service to a higher plan
         * @description 200: accepted and queued; the plan changes when the work is done. 202: the operator reviews the change; do not submit it again. Follow the request by its id.
         *
         *     Scope: `admin:full`.
         */
        post: operations["upgradeService"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/services/{service_number}/downgrade": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move a service to a lower plan
         * @description Takes effect at the renewal date of a monthly service, at once for an hourly one. 200: accepted and queued. 202: the operator reviews the change, as one that would shrink the disk; do not submit it again.
         *
         *     Scope: `admin:full`.
         */
        post: operations["downgradeService"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/services/{service_number}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a service
         * @description At the end of its term or at once. An open plan change or creation of the service is closed with it. The service becomes cancelled when the work is done.
         *
         *     Scope: `admin:full`.
         */
        post: operations["cancelService"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/services/{service_number}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Suspend a service
         * @description For an active service. It becomes suspended when the work is done, and keeps its term, its plan and what is scheduled for it.
         *
         *     Scope: `admin:full`.
         */
        post: operations["suspendService"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/services/{service_number}/unsuspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lift the suspension of a service
         * @description The service becomes active again when the work is done. A suspension of the operator is lifted by the operator alone.
         *
         *     Scope: `admin:full`.
         */
        post: operations["unsuspendService"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/services/{service_number}/cancellation-warning": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Warn a service's client of a cancellation
         * @description Emails the client with the broker's active template. Cancels nothing and schedules nothing. There is no idempotency key here: every successful call sends one email.
         *
         *     Scope: `admin:full`.
         */
        post: operations["warnCancellation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the active plans
         * @description In catalog order: by rank, then id.
         *
         *     Scope: `plans:read` or `admin:full`.
         */
        get: operations["listPlans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List requests
         * @description Newest first. Every filter takes one value and all that are given must hold. With `updated_since` those that changed first come first, so that one loop follows all requests: go on with the `updated_date` and `request_id` of the last item as `updated_since` and `after_request` until a page is not full; begin the next round at the `X-Server-Date` of the first answer of this one, less a minute. `total` then stops at 10000.
         *
         *     Scope: `requests:read` or `admin:full`.
         */
        get: operations["listRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/requests/{request_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a request
         * @description Where the request stands, and how it got there.
         *
         *     Scope: `requests:read` or `admin:full`.
         */
        get: operations["getRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/requests/{request_id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve what a client asked for
         * @description The rules of the operation apply again; when one refuses, the request stays pending. Where the operator must review it, the answer says so with operator_review true.
         *
         *     Scope: `requests:write` or `admin:full`.
         */
        post: operations["approveRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/requests/{request_id}/deny": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deny what a client asked for
         * @description Needs a reason. There is no idempotency key here: a second denial is refused as already processed.
         *
         *     Scope: `requests:write` or `admin:full`.
         */
        post: operations["denyRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/requests/{request_id}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take back a request before its work begins
         * @description An accepted request becomes failed with the reason withdrawn, one under review becomes denied. A withdrawn cancellation leaves its service as it was; the service of a withdrawn creation is terminated. What a client asked for and is not decided yet is denied instead.
         *
         *     Scope: `admin:full`.
         */
        post: operations["withdrawRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/services": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Email a services report
         * @description Sends the services that pass all filters, newest first, as a CSV attachment; the period covers the date of creation. Where nothing passes, the header line is sent alone. There is no idempotency key here: every successful call sends one email.
         *
         *     Scope: `reports:send` or `admin:full`.
         */
        post: operations["sendServicesReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Email an invoices report
         * @description Sends the invoices that pass all filters, oldest first, as a CSV attachment; the period covers the date of issue. Where nothing passes, the header line is sent alone. There is no idempotency key here: every successful call sends one email.
         *
         *     Scope: `reports:send` or `admin:full`.
         */
        post: operations["sendInvoicesReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the sandbox
         * @description Its date, what is due next, and how full it is. Sandbox keys only.
         *
         *     Scope: none.
         */
        get: operations["getSandbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the use of your key
         * @description The calls of the calling key and of those that it was rotated from, added up by hour or day (UTC), operation and outcome: newest first. Calls of the last seconds may be missing. Hours go back 90 days, days two years. Needs no scope.
         *
         *     Scope: none.
         */
        get: operations["listUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/scenarios": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what the sandbox can simulate
         * @description Each service, sample request and plan of a sandbox as it is made, and what it is good for. Sandbox keys only.
         *
         *     Scope: none.
         */
        get: operations["listScenarios"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move the sandbox's clock forward
         * @description By a number of seconds or to a date, ten years ahead of the real one at most, and never back. What is due by then has happened when the answer is there. Sandbox keys only.
         *
         *     Scope: `admin:full`.
         */
        post: operations["moveSandboxClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make the sandbox anew
         * @description With the records of the scenarios, the real date, and no idempotency records. Sandbox keys only.
         *
         *     Scope: `admin:full`.
         */
        post: operations["resetSandbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AccessReport: {
            /** @constant */
            authenticated: true;
            mode: components["schemas"]["Mode"];
            broker: components["schemas"]["Broker"];
            api_key: components["schemas"]["ApiKey"];
            permissions: components["schemas"]["Permissions"];
            network: components["schemas"]["NetworkPath"];
            rate_limit: components["schemas"]["RateLimit"];
            /**
             * Format: date-time
             * @description The time of the server.
             * @example 2026-03-01T09:30:00.000Z
             */
            server_date: string;
            /** @constant */
            api_version: "v1";
        };
        AlreadyProcessed: {
            /** @constant */
            code: "already_processed";
            /** @description For people; do not branch on it */
            message: string;
            details: {
                /**
                 * @description A stable word that splits the code further
                 * @enum {string}
                 */
                reason: "idempotency_key_reused";
                /** @description The same as the X-Request-Id header */
                correlation_id: string;
            } | {
                /**
                 * @description A stable word that splits the code further
                 * @enum {string}
                 */
                reason: "request_already_processed";
                /**
                 * @description Where the request stands
                 * @enum {string}
                 */
                request_status: "pending" | "operator_review" | "accepted" | "completed" | "failed" | "approved" | "denied";
                /**
                 * Format: date-time
                 * @description When the request became final; null: it has not.
                 * @example 2026-03-01T09:30:00.000Z
                 */
                processed_date: string | null;
                /** @description Null where no decision was made */
                decision: components["schemas"]["Decision"] | null;
                /** @description The same as the X-Request-Id header */
                correlation_id: string;
            };
        };
        /** @description The key that is calling */
        ApiKey: {
            /** @description The key's id */
            key_id: string;
            /** @description What the operator called the key */
            name: string;
            /**
             * @description The part of the key that is no secret
             * @example sk_live_4fTq81Zx
             */
            key_prefix: string;
            /**
             * @description A revoked key is refused
             * @enum {string}
             */
            key_status: "active" | "revoked";
            /**
             * Format: date-time
             * @description When the key was made.
             * @example 2026-03-01T09:30:00.000Z
             */
            created_date: string;
            /**
             * Format: date-time
             * @description When the key stops working; null: never.
             * @example 2026-03-01T09:30:00.000Z
             */
            expires_date: string | null;
            /**
             * Format: date-time
             * @description The use before this one; null: never.
             * @example 2026-03-01T09:30:00.000Z
             */
            last_used_date: string | null;
            /**
             * @description Where that use came from; null: never used.
             * @example 203.0.113.7
             */
            last_used_ip: string | null;
        };
        /**
         * @example {
         *       "reason": "Agreed with the client by phone."
         *     }
         */
        ApprovalInput: {
            /** @description A note on the decision */
            reason?: string;
        };
        AuthenticationFailed: {
            /** @constant */
            code: "authentication_failed";
            /** @description For people; do not branch on it */
            message: string;
            details: {
                /**
                 * @description A stable word that splits the code further
                 * @enum {string}
                 */
                reason: "missing" | "malformed" | "invalid" | "inactive";
                /** @description The same as the X-Request-Id header */
                correlation_id: string;
            } | {
                /**
                 * @description A stable word that splits the code further
                 * @enum {string}
                 */
                reason: "expired";
                /**
                 * Format: date-time
                 * @description When the key ended.
                 * @example 2026-03-01T09:30:00.000Z
                 */
                expired_date: string;
                /** @description The same as the X-Request-Id header */
                correlation_id: string;
            };
        };
        AuthorizationReport: {
            /** @constant */
            authenticated: true;
            /** @constant */
            authorized: true;
            required_scopes: components["schemas"]["Scope"][];
            matched_scope: components["schemas"]["Scope"];
            mode: components["schemas"]["Mode"];
            broker: components["schemas"]["Broker"];
            api_key: components["schemas"]["ApiKey"];
        };
        AvailableUpgrade: {
            /** @description The plan's id */
            id: string;
            /** @description A short name of the plan; callers may name the plan by it */
            slug: string;
            /** @description What people call the plan */
            display_name: string;
            /**
             * Format: int32
             * @description Upgrades go to a higher rank, downgrades to a lower one
             */
            upgrade_rank: number;
            billing_type: components["schemas"]["BillingType"];
            /** @description True: this upgrade would be reviewed (202) */
            operator_review: boolean;
        };
        /**
         * @description How the plan is billed
         * @enum {string}
         */
        BillingType: "monthly" | "hourly";
        /** @description The broker that owns the key */
        Broker: {
            /** @description The broker's id */
            broker_id: string;
            /** @description The broker's name */
            name: string;
            /**
             * @description A suspended broker's keys are refused
             * @enum {string}
             */
            broker_status: "active" | "suspended";
        };
        /**
         * @description ok, or the code of the error; other: what was too various to be told apart
         * @enum {string}
         */
        CallOutcome: "ok" | "invalid_request" | "missing_parameter" | "invalid_parameter" | "invalid_state" | "missing_customer_email" | "template_not_found" | "authentication_failed" | "insufficient_permissions" | "not_found" | "already_processed" | "rate_limit_exceeded" | "email_send_error" | "server_error" | "other";
        /**
         * @example {
         *       "cancellation_type": "end_of_term",
         *       "reason": "The client moves in house."
         *     }
         */
        CancellationInput: {
            /** @default end_of_term */
            cancellation_type: components["schemas"]["CancellationType"];
            /** @description Why the service is cancelled */
            reason?: string;
        };
        CancellationRequest: {
            /** @description Look the request up by it */
            request_id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "cancellation";
            /**
             * @description accepted: queued. completed, failed, approved and denied are final
             * @enum {string}
             */
            request_status: "pending" | "operator_review" | "accepted" | "completed" | "failed" | "denied";
            /** @description True exactly while the operator reviews the request */
            operator_review: boolean;
            /**
             * Format: int64
             * @description The public number of the service
             * @example 900001
             */
            service_number: number;
            /**
             * @description Who submitted the request
             * @enum {string}
             */
            origin: "client" | "broker" | "operator";
            /**
             * Format: date-time
             * @description When the request was submitted.
             * @example 2026-03-01T09:30:00.000Z
             */
            submitted_date: string;
            /**
             * Format: date-time
             * @description When the request last changed.
             * @example 2026-03-01T09:30:00.000Z
             */
            updated_date: string;
            /**
             * Format: date-time
             * @description When the request became final; null before.
             * @example 2026-03-01T09:30:00.000Z
             */
            processed_date: string | null;
            decision: components["schemas"]["Decision"] | null;
            failure: components["schemas"]["WorkFailure"] | null;
            /** @description True: nothing changes any more */
            is_final: boolean;
            /**
             * Format: int32
             * @description Seconds until it is worth asking again; null when final
             */
            next_check_seconds: number | null;
            cancellation_type: components["schemas"]["CancellationType"];
            /**
             * Format: date-time
             * @description When it takes effect; null while that is open.
             * @example 2026-03-01T09:30:00.000Z
             */
            effective_date: string | null;
            /** @description Why it was asked for */
            reason: string | null;
            /**
             * @description Only in simulated answers of a sandbox key
             * @constant
             */
            mode?: "test";
            /**
             * @description Only in simulated answers of a sandbox key
             * @constant
             */
            simulated?: true;
        };
        /**
         * @description end_of_term: at the renewal date. immediate: as soon as the work is done
         * @enum {string}
         */
        CancellationType: "end_of_term" | "immediate";
        CancellationWarning: {
            /** @description Null: the email was sent, and its entry in the history could not be saved */
            request_id: string | null;
            /** @constant */
            type: "cancellation-warning";
            /** @constant */
            request_status: "approved";
            /**
             * Format: int64
             * @description The public number of the service
             * @example 900001
             */
            service_number: number | null;
            /** @description What the client was told */
            warning_reason: string;
            /**
             * Format: date-time
             * @description When the warning was asked for.
             * @example 2026-03-01T09:30:00.000Z
             */
            submitted_date: string;
            /**
             * Format: date-time
             * @description When the provider had accepted the email.
             * @example 2026-03-01T09:30:00.000Z
             */
            processed_date: string;
            /**
             * @description Only in simulated answers of a sandbox key
             * @constant
             */
            mode?: "test";
            /**
             * @description Only in simulated answers of a sandbox key
             * @constant
             */
            simulated?: true;
        };
        /**
         * @example {
         *       "warningReason": "Invoice 2026-118 is 30 days overdue."
         *     }
         */
        CancellationWarningInput: {
            /** @description Why the client is warned; it stands in the email. Trimmed. */
            warningReason: string;
        };
        CancellationWarningRequest: {
            /** @description Look the request up by it */
            request_id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "cancellation-warning";
            /**
             * @description accepted: queued. completed, failed, approved and denied are final
             * @enum {string}
             */
            request_status: "approved";
            /** @description True exactly while the operator reviews the request */
            operator_review: boolean;
            /**
             * Format: int64
             * @description The public number of the service
             * @example 900001
             */
            service_number: number;
            /**
             * @description Who submitted the request
             * @enum {string}
             */
            origin: "client" | "broker" | "operator";
            /**
             * Format: date-time
             * @description When the request was submitted.
             * @example 2026-03-01T09:30:00.000Z
             */
            submitted_date: string;
            /**
             * Format: date-time
             * @description When the request last changed.
             * @example 2026-03-01T09:30:00.000Z
             */
            updated_date: string;
            /**
             * Format: date-time
             * @description When the request became final; null before.
             * @example 2026-03-01T09:30:00.000Z
             */
            processed_date: string | null;
            decision: components["schemas"]["Decision"] | null;
            failure: components["schemas"]["WorkFailure"] | null;
            /** @description True: nothing changes any more */
            is_final: boolean;
            /**
             * Format: int32
             * @description Seconds until it is worth asking again; null when final
             */
            next_check_seconds: number | null;
            /** @description What the client was told */
            warning_reason: string;
            /**
             * @description Only in simulated answers of a sandbox key
             * @constant
             */
            mode?: "test";
            /**
             * @description Only in simulated answers of a sandbox key
             * @constant
             */
            simulated?: true;
        };
        Client: {
            /** @description The client's name */
            name: string;
            /** @description The client's address, as it was entered; null: not known */
            email: string | null;
        };
        ClientChanges: {
            /** @description The client's name */
            name?: string;
            /**
             * Format: email
             * @description The client's email address
             */
            email?: string | null;
        };
        /**
         * @example {
         *       "advance_seconds": 86400
         *     }
         */
        ClockBody: {
            /**
             * Format: int32
             * @description How far to go forward; not beside date
             */
            advance_seconds?: number;
            /** @description Where to go. Repeat a call whose answer was lost with this one. RFC 3339 with an offset, or a date (00:00 UTC): `2026-03-01T09:30:00+01:00` or `2026-03-01`. */
            date?: string;
        };
        /** @description The latest decision; null where there is none yet */
        Decision: {
            /**
             * @description accept: the operator let it through
             * @enum {string}
             */
            action: "approve" | "deny" | "accept";
            /**
             * @description Who decided
             * @enum {string}
             */
            decided_by: "broker" | "operator";
            /** @description Why, in their words */
            reason: string | null;
            /**
             * Format: date-time
             * @description When it was decided.
             * @example 2026-03-01T09:30:00.000Z
             */
            decided_date: string;
        };
        /**
         * @example {
         *       "reason": "An invoice is still open."
         *     }
         */
        DenialInput: {
            /** @description Why the request is denied */
            reason: string;
        };
        EmailSendError: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "email_send_error";
            /** @description For people; do not branch on it */
            message: string;
            details: {
                /**
                 * @description A stable word that splits the code further
                 * @enum {string}
                 */
                reason: "rejected";
                /** @description The mail provider's own code, as it writes it; null where it gave none */
                provider_code: string | null;
                /** @description Whether trying again can succeed, and cannot send the email twice */
                retryable: boolean;
                /** @description The same as the X-Request-Id header */
                correlation_id: string;
            } | {
                /**
                 * @description A stable word that splits the code further
                 * @enum {string}
                 */
                reason: "unreachable";
                /** @description The mail provider's own code, as it writes it; null where it gave none */
                provider_code: string | null;
                /** @description Whether trying again can succeed, and cannot send the email twice */
                retryable: boolean;
                /** @description The same as the X-Request-Id header */
                correlation_id: string;
            } | {
                /**
                 * @description A stable word that splits the code further
                 * @enum {string}
                 */
                reason: "outcome_unknown";
                /** @description The mail provider's own code, as it writes it; null where it gave none */
                provider_code: string | null;
                /** @description Whether trying again can succeed, and cannot send the email twice */
                retryable: boolean;
                /** @description The same as the X-Request-Id header */
                correlation_id: string;
            };
        };
        /** @description A faulty field */
        FieldFault: {
            /** @description Where it stands: `body.client.email`, `query.limit`, `header.x-idempotency-key` */
            path: string;
            /**
             * @description Which rule it broke
             * @enum {string}
             */
            rule: "required" | "type" | "blank" | "too_long" | "range" | "format" | "enum" | "unknown" | "repeated" | "conflict";
            /** @description For people */
            message: string;
        };
        HistoryEntry: {
            request_status: components["schemas"]["RequestStatus"];
            /**
             * Format: date-time
             * @description When the request came into this state.
             * @example 2026-03-01T09:30:00.000Z
             */
            date: string;
            /**
             * @description Who moved it there
             * @enum {string}
             */
            actor: "client" | "broker" | "operator" | "system";
            /** @description What they said of it */
            note: string | null;
        };
        InsufficientPermissions: {
            /** @constant */
            code: "insufficient_permissions";
            /** @description For people; do not branch on it */
            message: string;
            details: {
                /**
                 * @description A stable word that splits the code further
                 * @enum {string}
                 */
                reason: "missing_scope";
                /** @description One of these is needed */
                required_scopes: components["schemas"]["Scope"][];
                /** @description What the key has */
                granted_scopes: components["schemas"]["Scope"][];
                /** @description The same as the X-Request-Id header */
                correlation_id: string;
            } | {
                /**
                 * @description A stable word that splits the code further
                 * @enum {string}
                 */
                reason: "ip_not_whitelisted";
                /**
                 * @description Where the call came from; null: what a proxy said is no address
                 * @example 203.0.113.7
                 */
                client_ip: string | null;
                /** @description The same as the X-Request-Id header */
                correlation_id: string;
            };
        };
        InvalidParameter: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "invalid_parameter";
            /** @description For people; do not branch on it */
            message: string;
            details: {
                /** @description The faulty fields */
                fields: components["schemas"]["FieldFault"][];
                /**
                 * Format: int32
                 * @description How many faulty fields there are beyond those; absent where none is left out
                 */
                omitted?: number;
                /** @description The same as the X-Request-Id header */
                correlation_id: string;
            } | {
                /**
                 * @description A stable word that splits the code further
                 * @enum {string}
                 */
                reason: "plan_not_available" | "plan_is_current" | "plan_rank_not_higher" | "plan_rank_not_lower" | "end_of_term_not_available" | "report_too_large" | "clock_out_of_range";
                /** @description The same as the X-Request-Id header */
                correlation_id: string;
            } | {
                /**
                 * @description A stable word that splits the code further
                 * @enum {string}
                 */
                reason: "recipient_not_verified";
                /** @description The faulty fields */
                fields: components["schemas"]["FieldFault"][];
                /**
                 * Format: int32
                 * @description How many faulty fields there are beyond those; absent where none is left out
                 */
                omitted?: number;
                /** @description The same as the X-Request-Id header */
                correlation_id: string;
            };
        };
        InvalidRequest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "invalid_request";
            /** @description For people; do not branch on it */
            message: string;
            details: {
                /**
                 * @description A stable word that splits the code further
                 * @enum {string}
                 */
                reason: "https_required" | "malformed_json" | "not_an_object" | "content_type" | "body_too_large" | "malformed_request";
                /** @description The same as the X-Request-Id header */
                correlation_id: string;
            };
        };
        InvalidState: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "invalid_state";
            /** @description For people; do not branch on it */
            message: string;
            details: {
                /**
                 * @description A stable word that splits the code further
                 * @enum {string}
                 */
                reason: "service_cancelled" | "service_terminated" | "service_not_active" | "service_suspended" | "service_not_suspended" | "suspended_by_operator" | "billing_type_mismatch" | "awaiting_operator" | "awaiting_decision" | "work_has_begun" | "creation_closed" | "sandbox_full";
                /** @description The same as the X-Request-Id header */
                correlation_id: string;
            } | {
                /**
                 * @description A stable word that splits the code further
                 * @enum {string}
                 */
                reason: "cancellation_scheduled";
                /** @description The cancellation that is open, where another one was asked for */
                request_id?: string;
                /** @description The same as the X-Request-Id header */
                correlation_id: string;
            } | {
                /**
                 * @description A stable word that splits the code further
                 * @enum {string}
                 */
                reason: "plan_change_in_progress";
                /** @description The plan change that is open */
                request_id: string;
                /** @description The same as the X-Request-Id header */
                correlation_id: string;
            } | {
                /**
                 * @description A stable word that splits the code further
                 * @enum {string}
                 */
                reason: "suspension_in_progress";
                /** @description The suspension, or its end, that is open */
                request_id: string;
                /** @description The same as the X-Request-Id header */
                correlation_id: string;
            };
        };
        /**
         * @example {
         *       "period_from": "2026-01-01",
         *       "period_to": "2026-04-01",
         *       "invoice_status": "open"
         *     }
         */
        InvoicesReportInput: {
            /**
             * Format: email
             * @description The broker's contact, which is the default, or an address on its verified list
             */
            recipient_email?: string;
            /** @description Invoices issued at or after this date. RFC 3339 with an offset, or a date (00:00 UTC): `2026-03-01T09:30:00+01:00` or `2026-03-01`. */
            period_from?: string;
            /** @description Invoices issued before this date. RFC 3339 with an offset, or a date (00:00 UTC): `2026-03-01T09:30:00+01:00` or `2026-03-01`. */
            period_to?: string;
            /**
             * Format: int64
             * @description The public number of the service
             * @example 900001
             */
            service_number?: number;
            /** @enum {string} */
            invoice_status?: "open" | "paid" | "void";
        };
        MissingCustomerEmail: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "missing_customer_email";
            /** @description For people; do not branch on it */
            message: string;
        };
        MissingParameter: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "missing_parameter";
            /** @description For people; do not branch on it */
            message: string;
            details: {
                /** @description The faulty fields */
                fields: components["schemas"]["FieldFault"][];
                /**
                 * Format: int32
                 * @description How many faulty fields there are beyond those; absent where none is left out
                 */
                omitted?: number;
                /** @description The same as the X-Request-Id header */
                correlation_id: string;
            };
        };
        /**
         * @description test: the key is a sandbox key
         * @enum {string}
         */
        Mode: "live" | "test";
        /**
         * @description A plan wherever it is part of another record
         * @example {
         *       "id": "pln_test_business",
         *       "slug": "business",
         *       "display_name": "Business",
         *       "upgrade_rank": 20,
         *       "billing_type": "monthly"
         *     }
         */
        NestedPlan: {
            /** @description The plan's id */
            id: string;
            /** @description A short name of the plan; callers may name the plan by it */
            slug: string;
            /** @description What people call the plan */
            display_name: string;
            /**
             * Format: int32
             * @description Upgrades go to a higher rank, downgrades to a lower one
             */
            upgrade_rank: number;
            billing_type: components["schemas"]["BillingType"];
        };
        /** @description Where the call came from */
        NetworkPath: {
            /**
             * @description The address that the call came from.
             * @example 203.0.113.7
             */
            client_ip: string;
            /** @description Whether the IP firewall is on */
            ip_restriction_enabled: boolean;
            /** @description The firewall rule, as entered, that let the call in; null: the firewall is off */
            matched_rule: string | null;
        };
        NewClient: {
            /** @description The client's name */
            name: string;
            /**
             * Format: email
             * @description The client's email address
             */
            email: string;
        };
        NotFound: {
            /** @constant */
            code: "not_found";
            /** @description For people; do not branch on it */
            message: string;
        };
        /** @description The request about this service that is not final yet */
        OpenRequest: {
            /** @description Look the request up by it */
            request_id: string;
            type: components["schemas"]["RequestType"];
            request_status: components["schemas"]["RequestStatus"];
        };
        Pagination: {
            /**
             * Format: int64
             * @description The page, counted from 1
             */
            page: number;
            /**
             * Format: int32
             * @description Items a page
             */
            perPage: number;
            /**
             * Format: int64
             * @description Items on all pages
             */
            total: number;
            /**
             * Format: int64
             * @description How many pages there are
             */
            totalPages: number;
        };
        /** @description What the key may do */
        Permissions: {
            scopes: components["schemas"]["Scope"][];
            /** @description Whether the scopes suffice for it */
            can_create_services: boolean;
        };
        Plan: {
            /** @description The plan's id */
            id: string;
            /** @description A short name of the plan; callers may name the plan by it */
            slug: string;
            /** @description What people call the plan */
            display_name: string;
            /**
             * Format: int32
             * @description Upgrades go to a higher rank, downgrades to a lower one
             */
            upgrade_rank: number;
            billing_type: components["schemas"]["BillingType"];
            /** @description For people */
            description: string | null;
            specifications: components["schemas"]["Specifications"] | null;
            price: components["schemas"]["Price"] | null;
            /** @description Whether the operator reviews every move to this plan */
            requires_operator_review: boolean;
            /**
             * @description Only in simulated answers of a sandbox key
             * @constant
             */
            mode?: "test";
            /**
             * @description Only in simulated answers of a sandbox key
             * @constant
             */
            simulated?: true;
        };
        PlanChange: {
            /** @description Look the request up by it */
            request_id: string;
            /**
             * @description Which way the plan changes
             * @enum {string}
             */
            type: "plan-upgrade" | "plan-downgrade";
            request_status: components["schemas"]["RequestStatus"];
            /** @description True: the operator decides; do not submit again */
            operator_review: boolean;
            /**
             * Format: int64
             * @description The public number of the service
             * @example 900001
             */
            service_number: number;
            service_status: components["schemas"]["ServiceStatus"];
            current_plan: components["schemas"]["NestedPlan"];
            new_plan: components["schemas"]["NestedPlan"];
            /**
             * Format: date-time
             * @description When the change takes effect; null while it is under review.
             * @example 2026-03-01T09:30:00.000Z
             */
            effective_date: string | null;
            /**
             * Format: date-time
             * @description When the change was asked for.
             * @example 2026-03-01T09:30:00.000Z
             */
            submitted_date: string;
            /**
             * Format: date-time
             * @description When the request became final.
             * @example 2026-03-01T09:30:00.000Z
             */
            processed_date: string | null;
            /** @description True: nothing changes any more */
            is_final: boolean;
            /**
             * Format: int32
             * @description Seconds until it is worth asking again; null when final
             */
            next_check_seconds: number | null;
            /**
             * @description Only in simulated answers of a sandbox key
             * @constant
             */
            mode?: "test";
            /**
             * @description Only in simulated answers of a sandbox key
             * @constant
             */
            simulated?: true;
        };
        /**
         * @example {
         *       "new_plan": "business"
         *     }
         */
        PlanChangeInput: {
            /** @description The plan to move to: the id, slug or display name of an active plan. Case is ignored in the latter two. */
            new_plan: string;
        };
        PlanDowngradeRequest: {
            /** @description Look the request up by it */
            request_id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "plan-downgrade";
            /**
             * @description accepted: queued. completed, failed, approved and denied are final
             * @enum {string}
             */
            request_status: "pending" | "operator_review" | "accepted" | "completed" | "failed" | "denied";
            /** @description True exactly while the operator reviews the request */
            operator_review: boolean;
            /**
             * Format: int64
             * @description The public number of the service
             * @example 900001
             */
            service_number: number;
            /**
             * @description Who submitted the request
             * @enum {string}
             */
            origin: "client" | "broker" | "operator";
            /**
             * Format: date-time
             * @description When the request was submitted.
             * @example 2026-03-01T09:30:00.000Z
             */
            submitted_date: string;
            /**
             * Format: date-time
             * @description When the request last changed.
             * @example 2026-03-01T09:30:00.000Z
             */
            updated_date: string;
            /**
             * Format: date-time
             * @description When the request became final; null before.
             * @example 2026-03-01T09:30:00.000Z
             */
            processed_date: string | null;
            decision: components["schemas"]["Decision"] | null;
            failure: components["schemas"]["WorkFailure"] | null;
            /** @description True: nothing changes any more */
            is_final: boolean;
            /**
             * Format: int32
             * @description Seconds until it is worth asking again; null when final
             */
            next_check_seconds: number | null;
            current_plan: components["schemas"]["NestedPlan"];
            new_plan: components["schemas"]["NestedPlan"];
            /**
             * Format: date-time
             * @description When it takes effect; null while that is open.
             * @example 2026-03-01T09:30:00.000Z
             */
            effective_date: string | null;
            /**
             * @description Only in simulated answers of a sandbox key
             * @constant
             */
            mode?: "test";
            /**
             * @description Only in simulated answers of a sandbox key
             * @constant
             */
            simulated?: true;
        };
        PlanUpgradeRequest: {
            /** @description Look the request up by it */
            request_id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "plan-upgrade";
            /**
             * @description accepted: queued. completed, failed, approved and denied are final
             * @enum {string}
             */
            request_status: "pending" | "operator_review" | "accepted" | "completed" | "failed" | "denied";
            /** @description True exactly while the operator reviews the request */
            operator_review: boolean;
            /**
             * Format: int64
             * @description The public number of the service
             * @example 900001
             */
            service_number: number;
            /**
             * @description Who submitted the request
             * @enum {string}
             */
            origin: "client" | "broker" | "operator";
            /**
             * Format: date-time
             * @description When the request was submitted.
             * @example 2026-03-01T09:30:00.000Z
             */
            submitted_date: string;
            /**
             * Format: date-time
             * @description When the request last changed.
             * @example 2026-03-01T09:30:00.000Z
             */
            updated_date: string;
            /**
             * Format: date-time
             * @description When the request became final; null before.
             * @example 2026-03-01T09:30:00.000Z
             */
            processed_date: string | null;
            decision: components["schemas"]["Decision"] | null;
            failure: components["schemas"]["WorkFailure"] | null;
            /** @description True: nothing changes any more */
            is_final: boolean;
            /**
             * Format: int32
             * @description Seconds until it is worth asking again; null when final
             */
            next_check_seconds: number | null;
            current_plan: components["schemas"]["NestedPlan"];
            new_plan: components["schemas"]["NestedPlan"];
            /**
             * Format: date-time
             * @description When it takes effect; null while that is open.
             * @example 2026-03-01T09:30:00.000Z
             */
            effective_date: string | null;
            /**
             * @description Only in simulated answers of a sandbox key
             * @constant
             */
            mode?: "test";
            /**
             * @description Only in simulated answers of a sandbox key
             * @constant
             */
            simulated?: true;
        };
        /** @description What a month or an hour costs; null: not told */
        Price: {
            /**
             * @description A decimal number as text, exactly as imported
             * @example 24.90
             */
            amount: string;
            /**
             * @description ISO 4217
             * @example EUR
             */
            currency: string;
        };
        /** @description The key's window */
        RateLimit: {
            /**
             * Format: int32
             * @description Requests that the key may make in a window
             */
            limit: number;
            /**
             * Format: int32
             * @description What is left of them, this call counted
             */
            remaining: number;
            /**
             * Format: int32
             * @description How long a window is
             */
            window_seconds: number;
            /**
             * Format: int32
             * @description Until the window ends
             */
            reset_seconds: number;
        };
        RateLimitExceeded: {
            /** @constant */
            code: "rate_limit_exceeded";
            /** @description For people; do not branch on it */
            message: string;
            details: {
                /**
                 * Format: int32
                 * @description Requests that are allowed in a window
                 */
                limit: number;
                /**
                 * Format: int32
                 * @description How long the window is
                 */
                window_seconds: number;
                /**
                 * Format: int32
                 * @description The same as the Retry-After header
                 */
                retry_after_seconds: number;
                /** @description The same as the X-Request-Id header */
                correlation_id: string;
            } | {
                /**
                 * @description A stable word that splits the code further
                 * @enum {string}
                 */
                reason: "warning_limit";
                /**
                 * Format: int32
                 * @description Warnings of one service that are allowed in a window
                 */
                limit: number;
                /**
                 * Format: int32
                 * @description How long the window is
                 */
                window_seconds: number;
                /**
                 * Format: int32
                 * @description The same as the Retry-After header
                 */
                retry_after_seconds: number;
                /** @description The same as the X-Request-Id header */
                correlation_id: string;
            };
        };
        Report: {
            /** @description Also stands in the email */
            report_id: string;
            /**
             * @description What was asked for
             * @enum {string}
             */
            type: "services-report" | "invoices-report";
            /** @constant */
            report_status: "sent";
            /**
             * Format: email
             * @description Where the email went
             */
            recipient_email: string;
            /**
             * Format: int32
             * @description Rows below the header line
             */
            row_count: number;
            /**
             * Format: date-time
             * @description The start of the period, included; null: no limit.
             * @example 2026-03-01T09:30:00.000Z
             */
            period_from: string | null;
            /**
             * Format: date-time
             * @description The end of the period, not included; null: no limit.
             * @example 2026-03-01T09:30:00.000Z
             */
            period_to: string | null;
            /**
             * Format: date-time
             * @description When the report was asked for.
             * @example 2026-03-01T09:30:00.000Z
             */
            submitted_date: string;
            /**
             * Format: date-time
             * @description When the provider had accepted the email.
             * @example 2026-03-01T09:30:00.000Z
             */
            processed_date: string;
            /**
             * @description Only in simulated answers of a sandbox key
             * @constant
             */
            mode?: "test";
            /**
             * @description Only in simulated answers of a sandbox key
             * @constant
             */
            simulated?: true;
        };
        Request: components["schemas"]["CancellationWarningRequest"] | components["schemas"]["PlanUpgradeRequest"] | components["schemas"]["PlanDowngradeRequest"] | components["schemas"]["CancellationRequest"] | components["schemas"]["ServiceSuspensionRequest"] | components["schemas"]["ServiceUnsuspensionRequest"] | components["schemas"]["ServiceCreationRequest"];
        /**
         * @description accepted: queued. completed, failed, approved and denied are final
         * @enum {string}
         */
        RequestStatus: "pending" | "operator_review" | "accepted" | "completed" | "failed" | "approved" | "denied";
        /**
         * @description What was asked for
         * @enum {string}
         */
        RequestType: "cancellation-warning" | "plan-upgrade" | "plan-downgrade" | "cancellation" | "service-suspension" | "service-unsuspension" | "service-creation";
        RequestWithHistory: (components["schemas"]["CancellationWarningRequest"] & {
            /** @description Oldest first */
            history: components["schemas"]["HistoryEntry"][];
        }) | (components["schemas"]["PlanUpgradeRequest"] & {
            /** @description Oldest first */
            history: components["schemas"]["HistoryEntry"][];
        }) | (components["schemas"]["PlanDowngradeRequest"] & {
            /** @description Oldest first */
            history: components["schemas"]["HistoryEntry"][];
        }) | (components["schemas"]["CancellationRequest"] & {
            /** @description Oldest first */
            history: components["schemas"]["HistoryEntry"][];
        }) | (components["schemas"]["ServiceSuspensionRequest"] & {
            /** @description Oldest first */
            history: components["schemas"]["HistoryEntry"][];
        }) | (components["schemas"]["ServiceUnsuspensionRequest"] & {
            /** @description Oldest first */
            history: components["schemas"]["HistoryEntry"][];
        }) | (components["schemas"]["ServiceCreationRequest"] & {
            /** @description Oldest first */
            history: components["schemas"]["HistoryEntry"][];
        });
        ResetBody: Record<string, never>;
        Sandbox: {
            /**
             * Format: date-time
             * @description Its date: every date of its records goes by it.
             * @example 2026-03-01T09:30:00.000Z
             */
            sandbox_date: string;
            /**
             * Format: int64
             * @description How far its clock is ahead of the real one
             */
            offset_seconds: number;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-03-01T09:30:00.000Z
             */
            created_date: string;
            /**
             * Format: date-time
             * @description When the next decision, beginning or end of work is due; null: none is planned.
             * @example 2026-03-01T09:30:00.000Z
             */
            next_due_date: string | null;
            services: {
                /**
                 * Format: int32
                 * @description Services that it holds
                 */
                count: number;
                /**
                 * Format: int32
                 * @description Services that it can hold
                 */
                limit: number;
            };
            requests: {
                /**
                 * Format: int32
                 * @description Requests that it holds
                 */
                count: number;
                /**
                 * Format: int32
                 * @description Requests that it can hold
                 */
                limit: number;
            };
        };
        Scenario: {
            /** @description A stable name */
            scenario: string;
            /**
             * @description What the scenario is played with
             * @enum {string}
             */
            kind: "service" | "request" | "plan";
            /**
             * Format: int64
             * @description The public number of the service
             * @example 900001
             */
            service_number: number | null;
            /** @description The sample request; null for services and plans */
            request_id: string | null;
            /** @description The simulated plan; null for services and requests */
            plan_id: string | null;
            /** @description What happens */
            description: string;
            /** @description Answers that calls get in a sandbox as it is made */
            provokes: {
                /** @description The operationId of the call */
                operation: string;
                /**
                 * Format: int32
                 * @description The status of its answer
                 */
                status: number;
                /** @description The error code; null where the call succeeds */
                code: string | null;
                /** @description The reason of the refusal; null where the code has none */
                reason: string | null;
            }[];
        };
        /** @description The cancellation that is scheduled or done */
        ScheduledCancellation: {
            cancellation_type: components["schemas"]["CancellationType"];
            /**
             * Format: date-time
             * @description When the cancellation takes effect.
             * @example 2026-03-01T09:30:00.000Z
             */
            effective_date: string;
            /** @description The request that asked for it */
            request_id: string;
        };
        /**
         * @description `admin:full` implies all others, `services:write` and `requests:write` imply reading services and requests
         * @enum {string}
         */
        Scope: "admin:full" | "plans:read" | "reports:send" | "requests:read" | "requests:write" | "services:read" | "services:write";
        ServerError: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "server_error";
            /** @description For people; do not branch on it */
            message: string;
        };
        Service: {
            /**
             * Format: int64
             * @description The public number of the service
             * @example 900001
             */
            service_number: number;
            service_status: components["schemas"]["ServiceStatus"];
            /** @description A name for the service */
            label: string | null;
            /** @description The broker's own reference */
            external_reference: string | null;
            client: components["schemas"]["Client"];
            plan: components["schemas"]["NestedPlan"];
            specifications: components["schemas"]["Specifications"] | null;
            price: components["schemas"]["Price"] | null;
            /**
             * Format: date-time
             * @description When the service was created.
             * @example 2026-03-01T09:30:00.000Z
             */
            created_date: string;
            /**
             * Format: date-time
             * @description When anything of this record last changed, the record of its plan aside.
             * @example 2026-03-01T09:30:00.000Z
             */
            updated_date: string;
            /**
             * Format: date-time
             * @description When the term ends and the next begins: always ahead, until the service ends. Null where the plan is billed hourly
             * @example 2026-03-01T09:30:00.000Z
             */
            renewal_date: string | null;
            /**
             * Format: date-time
             * @description When the service was cancelled; null: it was not.
             * @example 2026-03-01T09:30:00.000Z
             */
            cancelled_date: string | null;
            cancellation: components["schemas"]["ScheduledCancellation"] | null;
            suspension: components["schemas"]["Suspension"] | null;
            open_request: components["schemas"]["OpenRequest"] | null;
            /**
             * @description Only in simulated answers of a sandbox key
             * @constant
             */
            mode?: "test";
            /**
             * @description Only in simulated answers of a sandbox key
             * @constant
             */
            simulated?: true;
        };
        ServiceCreation: components["schemas"]["ServiceCreationRequest"] & {
            service_status: components["schemas"]["ServiceStatus"];
        };
        /**
         * @example {
         *       "plan": "starter",
         *       "client": {
         *         "name": "Ada Example",
         *         "email": "ada@example.com"
         *       },
         *       "label": "Shop",
         *       "external_reference": "CRM-4711"
         *     }
         */
        ServiceCreationInput: {
            /** @description The plan: the id, slug or display name of an active plan. Case is ignored in the latter two. */
            plan: string;
            client: components["schemas"]["NewClient"];
            /** @description A name for the service */
            label?: string;
            /** @description The broker's own reference; it need not be unique */
            external_reference?: string;
        };
        ServiceCreationRequest: {
            /** @description Look the request up by it */
            request_id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "service-creation";
            /**
             * @description accepted: queued. completed, failed, approved and denied are final
             * @enum {string}
             */
            request_status: "accepted" | "completed" | "failed";
            /** @description True exactly while the operator reviews the request */
            operator_review: boolean;
            /**
             * Format: int64
             * @description The public number of the service
             * @example 900001
             */
            service_number: number;
            /**
             * @description Who submitted the request
             * @enum {string}
             */
            origin: "client" | "broker" | "operator";
            /**
             * Format: date-time
             * @description When the request was submitted.
             * @example 2026-03-01T09:30:00.000Z
             */
            submitted_date: string;
            /**
             * Format: date-time
             * @description When the request last changed.
             * @example 2026-03-01T09:30:00.000Z
             */
            updated_date: string;
            /**
             * Format: date-time
             * @description When the request became final; null before.
             * @example 2026-03-01T09:30:00.000Z
             */
            processed_date: string | null;
            decision: components["schemas"]["Decision"] | null;
            failure: components["schemas"]["WorkFailure"] | null;
            /** @description True: nothing changes any more */
            is_final: boolean;
            /**
             * Format: int32
             * @description Seconds until it is worth asking again; null when final
             */
            next_check_seconds: number | null;
            new_plan: components["schemas"]["NestedPlan"];
            /**
             * @description Only in simulated answers of a sandbox key
             * @constant
             */
            mode?: "test";
            /**
             * @description Only in simulated answers of a sandbox key
             * @constant
             */
            simulated?: true;
        };
        /**
         * @description Where the service stands; cancelled and terminated are for good
         * @enum {string}
         */
        ServiceStatus: "pending" | "active" | "suspended" | "cancelled" | "terminated";
        ServiceSuspensionRequest: {
            /** @description Look the request up by it */
            request_id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "service-suspension";
            /**
             * @description accepted: queued. completed, failed, approved and denied are final
             * @enum {string}
             */
            request_status: "accepted" | "completed" | "failed";
            /** @description True exactly while the operator reviews the request */
            operator_review: boolean;
            /**
             * Format: int64
             * @description The public number of the service
             * @example 900001
             */
            service_number: number;
            /**
             * @description Who submitted the request
             * @enum {string}
             */
            origin: "client" | "broker" | "operator";
            /**
             * Format: date-time
             * @description When the request was submitted.
             * @example 2026-03-01T09:30:00.000Z
             */
            submitted_date: string;
            /**
             * Format: date-time
             * @description When the request last changed.
             * @example 2026-03-01T09:30:00.000Z
             */
            updated_date: string;
            /**
             * Format: date-time
             * @description When the request became final; null before.
             * @example 2026-03-01T09:30:00.000Z
             */
            processed_date: string | null;
            decision: components["schemas"]["Decision"] | null;
            failure: components["schemas"]["WorkFailure"] | null;
            /** @description True: nothing changes any more */
            is_final: boolean;
            /**
             * Format: int32
             * @description Seconds until it is worth asking again; null when final
             */
            next_check_seconds: number | null;
            /** @description Why it was asked for */
            reason: string | null;
            /**
             * @description Only in simulated answers of a sandbox key
             * @constant
             */
            mode?: "test";
            /**
             * @description Only in simulated answers of a sandbox key
             * @constant
             */
            simulated?: true;
        };
        ServiceUnsuspensionRequest: {
            /** @description Look the request up by it */
            request_id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "service-unsuspension";
            /**
             * @description accepted: queued. completed, failed, approved and denied are final
             * @enum {string}
             */
            request_status: "accepted" | "completed" | "failed";
            /** @description True exactly while the operator reviews the request */
            operator_review: boolean;
            /**
             * Format: int64
             * @description The public number of the service
             * @example 900001
             */
            service_number: number;
            /**
             * @description Who submitted the request
             * @enum {string}
             */
            origin: "client" | "broker" | "operator";
            /**
             * Format: date-time
             * @description When the request was submitted.
             * @example 2026-03-01T09:30:00.000Z
             */
            submitted_date: string;
            /**
             * Format: date-time
             * @description When the request last changed.
             * @example 2026-03-01T09:30:00.000Z
             */
            updated_date: string;
            /**
             * Format: date-time
             * @description When the request became final; null before.
             * @example 2026-03-01T09:30:00.000Z
             */
            processed_date: string | null;
            decision: components["schemas"]["Decision"] | null;
            failure: components["schemas"]["WorkFailure"] | null;
            /** @description True: nothing changes any more */
            is_final: boolean;
            /**
             * Format: int32
             * @description Seconds until it is worth asking again; null when final
             */
            next_check_seconds: number | null;
            /**
             * @description Only in simulated answers of a sandbox key
             * @constant
             */
            mode?: "test";
            /**
             * @description Only in simulated answers of a sandbox key
             * @constant
             */
            simulated?: true;
        };
        /**
         * @description At least one of these; null takes away
         * @example {
         *       "external_reference": "CRM-4711",
         *       "client": {
         *         "email": "ada@example.com"
         *       }
         *     }
         */
        ServiceUpdateInput: {
            /** @description A name for the service */
            label?: string | null;
            /** @description The broker's own reference; it need not be unique */
            external_reference?: string | null;
            client?: components["schemas"]["ClientChanges"];
        };
        /**
         * @example {
         *       "recipient_email": "accounts@demo-hosting.example.com",
         *       "period_from": "2026-01-01",
         *       "period_to": "2026-04-01",
         *       "service_status": "active"
         *     }
         */
        ServicesReportInput: {
            /**
             * Format: email
             * @description The broker's contact, which is the default, or an address on its verified list
             */
            recipient_email?: string;
            /** @description Services created at or after this date. RFC 3339 with an offset, or a date (00:00 UTC): `2026-03-01T09:30:00+01:00` or `2026-03-01`. */
            period_from?: string;
            /** @description Services created before this date. RFC 3339 with an offset, or a date (00:00 UTC): `2026-03-01T09:30:00+01:00` or `2026-03-01`. */
            period_to?: string;
            service_status?: components["schemas"]["ServiceStatus"];
            billing_type?: components["schemas"]["BillingType"];
            /** @description A plan's id or slug */
            plan?: string;
            /** @description The whole address; case is ignored */
            client_email?: string;
            /** @description Text taken literally, anywhere in label, client name or external reference; case is ignored */
            search?: string;
            /** @description The broker's own reference, whole and exactly as it stands */
            external_reference?: string;
            /** @description Services that changed at or after this date. RFC 3339 with an offset, or a date (00:00 UTC): `2026-03-01T09:30:00+01:00` or `2026-03-01`. */
            updated_since?: string;
            /** @description Services that renew before this date. RFC 3339 with an offset, or a date (00:00 UTC): `2026-03-01T09:30:00+01:00` or `2026-03-01`. */
            renewal_before?: string;
        };
        /** @description What the plan has of everything; null: not told */
        Specifications: {
            /**
             * Format: int32
             * @description Virtual processors
             */
            vcpu: number | null;
            /**
             * Format: int32
             * @description Memory in megabytes
             */
            memory_mb: number | null;
            /**
             * Format: int32
             * @description Disk in gigabytes
             */
            disk_gb: number | null;
            /**
             * Format: int32
             * @description Transfer in gigabytes a month
             */
            transfer_gb: number | null;
        };
        /** @description Null unless the service is suspended */
        Suspension: {
            /**
             * @description Only the operator lifts a suspension of the operator
             * @enum {string}
             */
            suspended_by: "broker" | "operator";
            /** @description Why the service is suspended */
            reason: string | null;
            /**
             * Format: date-time
             * @description When the service was suspended.
             * @example 2026-03-01T09:30:00.000Z
             */
            suspended_date: string;
        };
        /**
         * @example {
         *       "reason": "Two invoices are overdue."
         *     }
         */
        SuspensionInput: {
            /** @description Why the service is suspended */
            reason?: string;
        };
        TemplateNotFound: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "template_not_found";
            /** @description For people; do not branch on it */
            message: string;
        };
        UnavailableUpgrade: {
            plan: components["schemas"]["NestedPlan"];
            /**
             * @description The reason the upgrade would be refused with
             * @enum {string}
             */
            reason: "service_cancelled" | "service_terminated" | "service_not_active" | "cancellation_scheduled" | "plan_change_in_progress" | "suspension_in_progress" | "service_suspended" | "service_not_suspended" | "suspended_by_operator" | "billing_type_mismatch" | "awaiting_operator" | "awaiting_decision" | "work_has_begun" | "creation_closed" | "sandbox_full" | "plan_not_available" | "plan_is_current" | "plan_rank_not_higher" | "plan_rank_not_lower" | "end_of_term_not_available" | "recipient_not_verified" | "report_too_large" | "clock_out_of_range";
        };
        UnsuspensionInput: Record<string, never>;
        UpgradeOptions: {
            current_plan: components["schemas"]["NestedPlan"];
            available: components["schemas"]["AvailableUpgrade"][];
            unavailable: components["schemas"]["UnavailableUpgrade"][];
            /**
             * @description Only in simulated answers of a sandbox key
             * @constant
             */
            mode?: "test";
            /**
             * @description Only in simulated answers of a sandbox key
             * @constant
             */
            simulated?: true;
        };
        UsageItem: {
            /**
             * Format: date-time
             * @description When the hour or the day began (UTC).
             * @example 2026-03-01T09:30:00.000Z
             */
            from_date: string;
            /** @description The operationId of this document; other: as for the outcome */
            operation: string;
            outcome: components["schemas"]["CallOutcome"];
            /**
             * Format: int64
             * @description How many calls there were
             */
            calls: number;
            /** @description What half of the calls took at most, in milliseconds */
            p50_ms: number | null;
            /** @description What 99 of 100 calls took at most, in milliseconds */
            p99_ms: number | null;
        };
        /**
         * @example {
         *       "reason": "The client has paid."
         *     }
         */
        WithdrawalInput: {
            /** @description Why it is taken back */
            reason?: string;
        };
        /** @description Why the work was not done; null unless the request failed */
        WorkFailure: {
            /**
             * @description A stable word
             * @example provisioning_failed
             */
            reason: string;
            /** @description For people */
            message: string;
            /** @description Whether the service still works as before */
            service_usable: boolean;
            /** @description Whether submitting the same again may succeed */
            retryable: boolean;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The id of this answer; quote it when you ask for help */
        "X-Request-Id": string;
        /** @description The content type is as stated; it is not to be guessed */
        "X-Content-Type-Options": "nosniff";
        /** @description No copy of an answer may be kept */
        "Cache-Control": "no-store";
        /** @description How to authenticate */
        "WWW-Authenticate": "Bearer";
        /** @description What is left of the window (r) and its end in seconds (t) */
        RateLimit: string;
        /** @description The quota (q) and its window in seconds (w) */
        "RateLimit-Policy": string;
        /** @description Requests that the key may make in a window */
        "X-RateLimit-Limit": number;
        /** @description Requests that are left of them */
        "X-RateLimit-Remaining": number;
        /** @description Seconds until the window ends */
        "X-RateLimit-Reset": number;
        /** @description Whole seconds to wait before the next try */
        "Retry-After": number;
        /** @description Use HTTPS only; there where the call came over HTTPS */
        "Strict-Transport-Security": string;
        /** @description An earlier call under the same idempotency key did the work, and this is its answer */
        "Idempotent-Replayed": "true";
        /** @description Beside updated_since: the next round may begin at it, less a minute */
        "X-Server-Date": string;
        /** @description What is left of the window (r) and its end in seconds (t); absent where the request was refused before it was counted */
        "RateLimit.optional": string;
        /** @description The quota (q) and its window in seconds (w); absent where the request was refused before it was counted */
        "RateLimit-Policy.optional": string;
        /** @description Requests that the key may make in a window; absent where the request was refused before it was counted */
        "X-RateLimit-Limit.optional": number;
        /** @description Requests that are left of them; absent where the request was refused before it was counted */
        "X-RateLimit-Remaining.optional": number;
        /** @description Seconds until the window ends; absent where the request was refused before it was counted */
        "X-RateLimit-Reset.optional": number;
        /** @description Whole seconds to wait before the next try; there where the same may succeed soon */
        "Retry-After.optional": number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    checkAccess: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["AccessReport"];
                        /** @description A note for people */
                        message?: string;
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `invalid_parameter`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InvalidRequest"] | components["schemas"]["InvalidParameter"];
                    };
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["AuthenticationFailed"];
                    };
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InsufficientPermissions"];
                    };
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["RateLimitExceeded"];
                    };
                };
            };
            /** @description An internal operation failed. Codes: `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["ServerError"];
                    };
                };
            };
        };
    };
    checkAuthorization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["AuthorizationReport"];
                        /** @description A note for people */
                        message?: string;
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `invalid_parameter`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InvalidRequest"] | components["schemas"]["InvalidParameter"];
                    };
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["AuthenticationFailed"];
                    };
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InsufficientPermissions"];
                    };
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["RateLimitExceeded"];
                    };
                };
            };
            /** @description An internal operation failed. Codes: `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["ServerError"];
                    };
                };
            };
        };
    };
    listServices: {
        parameters: {
            query?: {
                /** @description How many items to return */
                limit?: number;
                /** @description How many items to skip */
                offset?: number;
                /** @description The page, counted from 1; not beside limit or offset */
                page?: number;
                /** @description Items a page; not beside limit or offset */
                perPage?: number;
                /** @description Where the service stands; cancelled and terminated are for good */
                service_status?: components["schemas"]["ServiceStatus"];
                /** @description How the plan is billed */
                billing_type?: components["schemas"]["BillingType"];
                /** @description A plan's id or slug */
                plan?: string;
                /** @description The whole address; case is ignored */
                client_email?: string;
                /** @description Text taken literally, anywhere in label, client name or external reference; case is ignored */
                search?: string;
                /** @description The broker's own reference, whole and exactly as it stands */
                external_reference?: string;
                /** @description Services that changed at or after this date. RFC 3339 with an offset, or a date (00:00 UTC): `2026-03-01T09:30:00+01:00` or `2026-03-01`. */
                updated_since?: string;
                /** @description Services that renew before this date. RFC 3339 with an offset, or a date (00:00 UTC): `2026-03-01T09:30:00+01:00` or `2026-03-01`. */
                renewal_before?: string;
                /** @description Beside updated_since: begins behind this service within that millisecond */
                after_number?: number;
                /** @description Services created at or after this date. RFC 3339 with an offset, or a date (00:00 UTC): `2026-03-01T09:30:00+01:00` or `2026-03-01`. */
                created_from?: string;
                /** @description Services created before this date. RFC 3339 with an offset, or a date (00:00 UTC): `2026-03-01T09:30:00+01:00` or `2026-03-01`. */
                created_to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Server-Date": components["headers"]["X-Server-Date"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Service"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `invalid_parameter`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InvalidRequest"] | components["schemas"]["InvalidParameter"];
                    };
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["AuthenticationFailed"];
                    };
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InsufficientPermissions"];
                    };
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["RateLimitExceeded"];
                    };
                };
            };
            /** @description An internal operation failed. Codes: `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["ServerError"];
                    };
                };
            };
        };
    };
    createService: {
        parameters: {
            query?: never;
            header?: {
                /** @description One key for each intended operation; repeat it with the same input when retrying */
                "x-idempotency-key"?: string;
                /** @description The same under its other name; where both stand they must be equal */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ServiceCreationInput"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ServiceCreation"] & {
                            /** @constant */
                            request_status: "accepted";
                            /** @constant */
                            service_status: "pending";
                            /** @constant */
                            is_final: false;
                        };
                        /** @description A note for people */
                        message?: string;
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `missing_parameter`, `invalid_parameter`, `invalid_state`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InvalidRequest"] | components["schemas"]["MissingParameter"] | components["schemas"]["InvalidParameter"] | components["schemas"]["InvalidState"];
                    };
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["AuthenticationFailed"];
                    };
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InsufficientPermissions"];
                    };
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["RateLimitExceeded"];
                    };
                };
            };
            /** @description An internal operation failed. Codes: `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["ServerError"];
                    };
                };
            };
        };
    };
    getService: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The public number of the service
                 * @example 900001
                 */
                service_number: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Service"];
                        /** @description A note for people */
                        message?: string;
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `invalid_parameter`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InvalidRequest"] | components["schemas"]["InvalidParameter"];
                    };
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["AuthenticationFailed"];
                    };
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InsufficientPermissions"];
                    };
                };
            };
            /** @description The broker has no such record. Codes: `not_found`. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["NotFound"];
                    };
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["RateLimitExceeded"];
                    };
                };
            };
            /** @description An internal operation failed. Codes: `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["ServerError"];
                    };
                };
            };
        };
    };
    updateService: {
        parameters: {
            query?: never;
            header?: {
                /** @description One key for each intended operation; repeat it with the same input when retrying */
                "x-idempotency-key"?: string;
                /** @description The same under its other name; where both stand they must be equal */
                "idempotency-key"?: string;
            };
            path: {
                /**
                 * @description The public number of the service
                 * @example 900001
                 */
                service_number: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ServiceUpdateInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Service"];
                        /** @description A note for people */
                        message?: string;
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `missing_parameter`, `invalid_parameter`, `invalid_state`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InvalidRequest"] | components["schemas"]["MissingParameter"] | components["schemas"]["InvalidParameter"] | components["schemas"]["InvalidState"];
                    };
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["AuthenticationFailed"];
                    };
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InsufficientPermissions"];
                    };
                };
            };
            /** @description The broker has no such record. Codes: `not_found`. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["NotFound"];
                    };
                };
            };
            /** @description Processed before, or an idempotency key was reused for another request. Codes: `already_processed`. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["AlreadyProcessed"];
                    };
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["RateLimitExceeded"];
                    };
                };
            };
            /** @description An internal operation failed. Codes: `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["ServerError"];
                    };
                };
            };
        };
    };
    listUpgradeOptions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The public number of the service
                 * @example 900001
                 */
                service_number: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["UpgradeOptions"];
                        /** @description A note for people */
                        message?: string;
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `invalid_parameter`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InvalidRequest"] | components["schemas"]["InvalidParameter"];
                    };
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["AuthenticationFailed"];
                    };
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InsufficientPermissions"];
                    };
                };
            };
            /** @description The broker has no such record. Codes: `not_found`. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["NotFound"];
                    };
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["RateLimitExceeded"];
                    };
                };
            };
            /** @description An internal operation failed. Codes: `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["ServerError"];
                    };
                };
            };
        };
    };
    upgradeService: {
        parameters: {
            query?: never;
            header?: {
                /** @description One key for each intended operation; repeat it with the same input when retrying */
                "x-idempotency-key"?: string;
                /** @description The same under its other name; where both stand they must be equal */
                "idempotency-key"?: string;
            };
            path: {
                /**
                 * @description The public number of the service
                 * @example 900001
                 */
                service_number: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlanChangeInput"];
            };
        };
        responses: {
            /** @description Accepted and queued */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["PlanChange"] & {
                            /** @constant */
                            type: "plan-upgrade";
                            /** @constant */
                            request_status: "accepted";
                            /** @constant */
                            operator_review: false;
                            /** @constant */
                            is_final: false;
                        };
                        /** @description A note for people */
                        message?: string;
                    };
                };
            };
            /** @description Under review by the operator; do not submit it again */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["PlanChange"] & {
                            /** @constant */
                            type: "plan-upgrade";
                            /** @constant */
                            request_status: "operator_review";
                            /** @constant */
                            operator_review: true;
                            /** @constant */
                            is_final: false;
                        };
                        /** @description A note for people */
                        message?: string;
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `missing_parameter`, `invalid_parameter`, `invalid_state`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InvalidRequest"] | components["schemas"]["MissingParameter"] | components["schemas"]["InvalidParameter"] | components["schemas"]["InvalidState"];
                    };
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["AuthenticationFailed"];
                    };
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InsufficientPermissions"];
                    };
                };
            };
            /** @description The broker has no such record. Codes: `not_found`. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["NotFound"];
                    };
                };
            };
            /** @description Processed before, or an idempotency key was reused for another request. Codes: `already_processed`. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["AlreadyProcessed"];
                    };
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["RateLimitExceeded"];
                    };
                };
            };
            /** @description An internal operation failed. Codes: `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["ServerError"];
                    };
                };
            };
        };
    };
    downgradeService: {
        parameters: {
            query?: never;
            header?: {
                /** @description One key for each intended operation; repeat it with the same input when retrying */
                "x-idempotency-key"?: string;
                /** @description The same under its other name; where both stand they must be equal */
                "idempotency-key"?: string;
            };
            path: {
                /**
                 * @description The public number of the service
                 * @example 900013
                 */
                service_number: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlanChangeInput"];
            };
        };
        responses: {
            /** @description Accepted and queued */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["PlanChange"] & {
                            /** @constant */
                            type: "plan-downgrade";
                            /** @constant */
                            request_status: "accepted";
                            /** @constant */
                            operator_review: false;
                            /** @constant */
                            is_final: false;
                        };
                        /** @description A note for people */
                        message?: string;
                    };
                };
            };
            /** @description Under review by the operator; do not submit it again */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["PlanChange"] & {
                            /** @constant */
                            type: "plan-downgrade";
                            /** @constant */
                            request_status: "operator_review";
                            /** @constant */
                            operator_review: true;
                            /** @constant */
                            is_final: false;
                        };
                        /** @description A note for people */
                        message?: string;
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `missing_parameter`, `invalid_parameter`, `invalid_state`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InvalidRequest"] | components["schemas"]["MissingParameter"] | components["schemas"]["InvalidParameter"] | components["schemas"]["InvalidState"];
                    };
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["AuthenticationFailed"];
                    };
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InsufficientPermissions"];
                    };
                };
            };
            /** @description The broker has no such record. Codes: `not_found`. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["NotFound"];
                    };
                };
            };
            /** @description Processed before, or an idempotency key was reused for another request. Codes: `already_processed`. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["AlreadyProcessed"];
                    };
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["RateLimitExceeded"];
                    };
                };
            };
            /** @description An internal operation failed. Codes: `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["ServerError"];
                    };
                };
            };
        };
    };
    cancelService: {
        parameters: {
            query?: never;
            header?: {
                /** @description One key for each intended operation; repeat it with the same input when retrying */
                "x-idempotency-key"?: string;
                /** @description The same under its other name; where both stand they must be equal */
                "idempotency-key"?: string;
            };
            path: {
                /**
                 * @description The public number of the service
                 * @example 900001
                 */
                service_number: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancellationInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CancellationRequest"] & {
                            /** @constant */
                            request_status: "accepted";
                            /** @constant */
                            is_final: false;
                        };
                        /** @description A note for people */
                        message?: string;
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `invalid_parameter`, `invalid_state`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InvalidRequest"] | components["schemas"]["InvalidParameter"] | components["schemas"]["InvalidState"];
                    };
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["AuthenticationFailed"];
                    };
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InsufficientPermissions"];
                    };
                };
            };
            /** @description The broker has no such record. Codes: `not_found`. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["NotFound"];
                    };
                };
            };
            /** @description Processed before, or an idempotency key was reused for another request. Codes: `already_processed`. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["AlreadyProcessed"];
                    };
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["RateLimitExceeded"];
                    };
                };
            };
            /** @description An internal operation failed. Codes: `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["ServerError"];
                    };
                };
            };
        };
    };
    suspendService: {
        parameters: {
            query?: never;
            header?: {
                /** @description One key for each intended operation; repeat it with the same input when retrying */
                "x-idempotency-key"?: string;
                /** @description The same under its other name; where both stand they must be equal */
                "idempotency-key"?: string;
            };
            path: {
                /**
                 * @description The public number of the service
                 * @example 900001
                 */
                service_number: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SuspensionInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ServiceSuspensionRequest"] & {
                            /** @constant */
                            request_status: "accepted";
                            /** @constant */
                            is_final: false;
                        };
                        /** @description A note for people */
                        message?: string;
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `invalid_parameter`, `invalid_state`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InvalidRequest"] | components["schemas"]["InvalidParameter"] | components["schemas"]["InvalidState"];
                    };
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["AuthenticationFailed"];
                    };
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InsufficientPermissions"];
                    };
                };
            };
            /** @description The broker has no such record. Codes: `not_found`. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["NotFound"];
                    };
                };
            };
            /** @description Processed before, or an idempotency key was reused for another request. Codes: `already_processed`. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["AlreadyProcessed"];
                    };
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["RateLimitExceeded"];
                    };
                };
            };
            /** @description An internal operation failed. Codes: `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["ServerError"];
                    };
                };
            };
        };
    };
    unsuspendService: {
        parameters: {
            query?: never;
            header?: {
                /** @description One key for each intended operation; repeat it with the same input when retrying */
                "x-idempotency-key"?: string;
                /** @description The same under its other name; where both stand they must be equal */
                "idempotency-key"?: string;
            };
            path: {
                /**
                 * @description The public number of the service
                 * @example 900014
                 */
                service_number: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UnsuspensionInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ServiceUnsuspensionRequest"] & {
                            /** @constant */
                            request_status: "accepted";
                            /** @constant */
                            is_final: false;
                        };
                        /** @description A note for people */
                        message?: string;
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `invalid_parameter`, `invalid_state`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InvalidRequest"] | components["schemas"]["InvalidParameter"] | components["schemas"]["InvalidState"];
                    };
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["AuthenticationFailed"];
                    };
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InsufficientPermissions"];
                    };
                };
            };
            /** @description The broker has no such record. Codes: `not_found`. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["NotFound"];
                    };
                };
            };
            /** @description Processed before, or an idempotency key was reused for another request. Codes: `already_processed`. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["AlreadyProcessed"];
                    };
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["RateLimitExceeded"];
                    };
                };
            };
            /** @description An internal operation failed. Codes: `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["ServerError"];
                    };
                };
            };
        };
    };
    warnCancellation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The public number of the service
                 * @example 900001
                 */
                service_number: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CancellationWarningInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CancellationWarning"];
                        /** @description A note for people */
                        message?: string;
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `missing_parameter`, `invalid_parameter`, `invalid_state`, `missing_customer_email`, `template_not_found`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InvalidRequest"] | components["schemas"]["MissingParameter"] | components["schemas"]["InvalidParameter"] | components["schemas"]["InvalidState"] | components["schemas"]["MissingCustomerEmail"] | components["schemas"]["TemplateNotFound"];
                    };
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["AuthenticationFailed"];
                    };
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InsufficientPermissions"];
                    };
                };
            };
            /** @description The broker has no such record. Codes: `not_found`. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["NotFound"];
                    };
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["RateLimitExceeded"];
                    };
                };
            };
            /** @description An internal operation failed. Codes: `email_send_error`, `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["EmailSendError"] | components["schemas"]["ServerError"];
                    };
                };
            };
        };
    };
    listPlans: {
        parameters: {
            query?: {
                /** @description How many items to return */
                limit?: number;
                /** @description How many items to skip */
                offset?: number;
                /** @description The page, counted from 1; not beside limit or offset */
                page?: number;
                /** @description Items a page; not beside limit or offset */
                perPage?: number;
                /** @description How the plan is billed */
                billing_type?: components["schemas"]["BillingType"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Plan"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `invalid_parameter`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InvalidRequest"] | components["schemas"]["InvalidParameter"];
                    };
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["AuthenticationFailed"];
                    };
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InsufficientPermissions"];
                    };
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["RateLimitExceeded"];
                    };
                };
            };
            /** @description An internal operation failed. Codes: `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["ServerError"];
                    };
                };
            };
        };
    };
    listRequests: {
        parameters: {
            query?: {
                /** @description How many items to return */
                limit?: number;
                /** @description How many items to skip */
                offset?: number;
                /** @description The page, counted from 1; not beside limit or offset */
                page?: number;
                /** @description Items a page; not beside limit or offset */
                perPage?: number;
                /** @description What was asked for */
                type?: components["schemas"]["RequestType"];
                /** @description accepted: queued. completed, failed, approved and denied are final */
                request_status?: components["schemas"]["RequestStatus"];
                /** @description The public number of the service */
                service_number?: number;
                /** @description Whether the operator reviews the request */
                operator_review?: boolean;
                /** @description Requests submitted at or after this date. RFC 3339 with an offset, or a date (00:00 UTC): `2026-03-01T09:30:00+01:00` or `2026-03-01`. */
                submitted_from?: string;
                /** @description Requests submitted before this date. RFC 3339 with an offset, or a date (00:00 UTC): `2026-03-01T09:30:00+01:00` or `2026-03-01`. */
                submitted_to?: string;
                /** @description Requests that changed at or after this date. RFC 3339 with an offset, or a date (00:00 UTC): `2026-03-01T09:30:00+01:00` or `2026-03-01`. */
                updated_since?: string;
                /** @description Beside updated_since: begins behind this request within that millisecond */
                after_request?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Server-Date": components["headers"]["X-Server-Date"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Request"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `invalid_parameter`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InvalidRequest"] | components["schemas"]["InvalidParameter"];
                    };
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["AuthenticationFailed"];
                    };
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InsufficientPermissions"];
                    };
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["RateLimitExceeded"];
                    };
                };
            };
            /** @description An internal operation failed. Codes: `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["ServerError"];
                    };
                };
            };
        };
    };
    getRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id that the submitting call answered
                 * @example req_test_sample_pending
                 */
                request_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["RequestWithHistory"];
                        /** @description A note for people */
                        message?: string;
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `invalid_parameter`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InvalidRequest"] | components["schemas"]["InvalidParameter"];
                    };
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["AuthenticationFailed"];
                    };
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InsufficientPermissions"];
                    };
                };
            };
            /** @description The broker has no such record. Codes: `not_found`. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["NotFound"];
                    };
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["RateLimitExceeded"];
                    };
                };
            };
            /** @description An internal operation failed. Codes: `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["ServerError"];
                    };
                };
            };
        };
    };
    approveRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description One key for each intended operation; repeat it with the same input when retrying */
                "x-idempotency-key"?: string;
                /** @description The same under its other name; where both stand they must be equal */
                "idempotency-key"?: string;
            };
            path: {
                /**
                 * @description The id that the submitting call answered
                 * @example req_test_sample_pending
                 */
                request_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ApprovalInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: Omit<components["schemas"]["Request"], "type"> & {
                            /** @enum {unknown} */
                            request_status: "accepted" | "operator_review";
                            /** @constant */
                            is_final: false;
                        };
                        /** @description A note for people */
                        message?: string;
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `invalid_parameter`, `invalid_state`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InvalidRequest"] | components["schemas"]["InvalidParameter"] | components["schemas"]["InvalidState"];
                    };
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["AuthenticationFailed"];
                    };
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InsufficientPermissions"];
                    };
                };
            };
            /** @description The broker has no such record. Codes: `not_found`. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["NotFound"];
                    };
                };
            };
            /** @description Processed before, or an idempotency key was reused for another request. Codes: `already_processed`. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["AlreadyProcessed"];
                    };
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["RateLimitExceeded"];
                    };
                };
            };
            /** @description An internal operation failed. Codes: `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["ServerError"];
                    };
                };
            };
        };
    };
    denyRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id that the submitting call answered
                 * @example req_test_sample_pending
                 */
                request_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DenialInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: Omit<components["schemas"]["Request"], "type"> & {
                            /** @constant */
                            request_status: "denied";
                            /** @constant */
                            is_final: true;
                        };
                        /** @description A note for people */
                        message?: string;
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `missing_parameter`, `invalid_parameter`, `invalid_state`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InvalidRequest"] | components["schemas"]["MissingParameter"] | components["schemas"]["InvalidParameter"] | components["schemas"]["InvalidState"];
                    };
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["AuthenticationFailed"];
                    };
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InsufficientPermissions"];
                    };
                };
            };
            /** @description The broker has no such record. Codes: `not_found`. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["NotFound"];
                    };
                };
            };
            /** @description Processed before, or an idempotency key was reused for another request. Codes: `already_processed`. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["AlreadyProcessed"];
                    };
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["RateLimitExceeded"];
                    };
                };
            };
            /** @description An internal operation failed. Codes: `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["ServerError"];
                    };
                };
            };
        };
    };
    withdrawRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description One key for each intended operation; repeat it with the same input when retrying */
                "x-idempotency-key"?: string;
                /** @description The same under its other name; where both stand they must be equal */
                "idempotency-key"?: string;
            };
            path: {
                /**
                 * @description The id that the submitting call answered
                 * @example req_test_sample_operator_review
                 */
                request_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WithdrawalInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: Omit<components["schemas"]["Request"], "type"> & {
                            /** @enum {unknown} */
                            request_status: "failed" | "denied";
                            /** @constant */
                            is_final: true;
                        };
                        /** @description A note for people */
                        message?: string;
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `invalid_parameter`, `invalid_state`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InvalidRequest"] | components["schemas"]["InvalidParameter"] | components["schemas"]["InvalidState"];
                    };
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["AuthenticationFailed"];
                    };
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InsufficientPermissions"];
                    };
                };
            };
            /** @description The broker has no such record. Codes: `not_found`. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["NotFound"];
                    };
                };
            };
            /** @description Processed before, or an idempotency key was reused for another request. Codes: `already_processed`. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["AlreadyProcessed"];
                    };
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["RateLimitExceeded"];
                    };
                };
            };
            /** @description An internal operation failed. Codes: `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["ServerError"];
                    };
                };
            };
        };
    };
    sendServicesReport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ServicesReportInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Report"] & {
                            /** @constant */
                            type: "services-report";
                        };
                        /** @description A note for people */
                        message?: string;
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `invalid_parameter`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InvalidRequest"] | components["schemas"]["InvalidParameter"];
                    };
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["AuthenticationFailed"];
                    };
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InsufficientPermissions"];
                    };
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["RateLimitExceeded"];
                    };
                };
            };
            /** @description An internal operation failed. Codes: `email_send_error`, `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["EmailSendError"] | components["schemas"]["ServerError"];
                    };
                };
            };
        };
    };
    sendInvoicesReport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["InvoicesReportInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Report"] & {
                            /** @constant */
                            type: "invoices-report";
                        };
                        /** @description A note for people */
                        message?: string;
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `invalid_parameter`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InvalidRequest"] | components["schemas"]["InvalidParameter"];
                    };
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["AuthenticationFailed"];
                    };
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InsufficientPermissions"];
                    };
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["RateLimitExceeded"];
                    };
                };
            };
            /** @description An internal operation failed. Codes: `email_send_error`, `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["EmailSendError"] | components["schemas"]["ServerError"];
                    };
                };
            };
        };
    };
    getSandbox: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Sandbox"];
                        /** @description A note for people */
                        message?: string;
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `invalid_parameter`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InvalidRequest"] | components["schemas"]["InvalidParameter"];
                    };
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["AuthenticationFailed"];
                    };
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InsufficientPermissions"];
                    };
                };
            };
            /** @description The broker has no such record. Codes: `not_found`. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["NotFound"];
                    };
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["RateLimitExceeded"];
                    };
                };
            };
            /** @description An internal operation failed. Codes: `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["ServerError"];
                    };
                };
            };
        };
    };
    listUsage: {
        parameters: {
            query?: {
                /** @description How many items to return */
                limit?: number;
                /** @description How many items to skip */
                offset?: number;
                /** @description The page, counted from 1; not beside limit or offset */
                page?: number;
                /** @description Items a page; not beside limit or offset */
                perPage?: number;
                /** @description What is added up in one item */
                span?: "hour" | "day";
                /** @description The first span is that of this date; by default 24 hours or 30 days ago. RFC 3339 with an offset, or a date (00:00 UTC): `2026-03-01T09:30:00+01:00` or `2026-03-01`. */
                from?: string;
                /** @description The span of this date is the first one left out; by default none is. RFC 3339 with an offset, or a date (00:00 UTC): `2026-03-01T09:30:00+01:00` or `2026-03-01`. */
                to?: string;
                /** @description An operationId of this document */
                operation?: string;
                /** @description ok, or the code of the error; other: what was too various to be told apart */
                outcome?: components["schemas"]["CallOutcome"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["UsageItem"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `invalid_parameter`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InvalidRequest"] | components["schemas"]["InvalidParameter"];
                    };
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["AuthenticationFailed"];
                    };
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InsufficientPermissions"];
                    };
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["RateLimitExceeded"];
                    };
                };
            };
            /** @description An internal operation failed. Codes: `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["ServerError"];
                    };
                };
            };
        };
    };
    listScenarios: {
        parameters: {
            query?: {
                /** @description How many items to return */
                limit?: number;
                /** @description How many items to skip */
                offset?: number;
                /** @description The page, counted from 1; not beside limit or offset */
                page?: number;
                /** @description Items a page; not beside limit or offset */
                perPage?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Scenario"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `invalid_parameter`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InvalidRequest"] | components["schemas"]["InvalidParameter"];
                    };
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["AuthenticationFailed"];
                    };
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InsufficientPermissions"];
                    };
                };
            };
            /** @description The broker has no such record. Codes: `not_found`. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["NotFound"];
                    };
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["RateLimitExceeded"];
                    };
                };
            };
            /** @description An internal operation failed. Codes: `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["ServerError"];
                    };
                };
            };
        };
    };
    moveSandboxClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClockBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Sandbox"];
                        /** @description A note for people */
                        message?: string;
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `missing_parameter`, `invalid_parameter`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InvalidRequest"] | components["schemas"]["MissingParameter"] | components["schemas"]["InvalidParameter"];
                    };
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["AuthenticationFailed"];
                    };
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InsufficientPermissions"];
                    };
                };
            };
            /** @description The broker has no such record. Codes: `not_found`. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["NotFound"];
                    };
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["RateLimitExceeded"];
                    };
                };
            };
            /** @description An internal operation failed. Codes: `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["ServerError"];
                    };
                };
            };
        };
    };
    resetSandbox: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ResetBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Sandbox"];
                        /** @description A note for people */
                        message?: string;
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `invalid_parameter`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InvalidRequest"] | components["schemas"]["InvalidParameter"];
                    };
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["AuthenticationFailed"];
                    };
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["InsufficientPermissions"];
                    };
                };
            };
            /** @description The broker has no such record. Codes: `not_found`. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["NotFound"];
                    };
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["RateLimitExceeded"];
                    };
                };
            };
            /** @description An internal operation failed. Codes: `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    RateLimit: components["headers"]["RateLimit.optional"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit.optional"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining.optional"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset.optional"];
                    "Retry-After": components["headers"]["Retry-After.optional"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: components["schemas"]["ServerError"];
                    };
                };
            };
        };
    };
}
