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
         * @description Newest first. Every filter takes one value and all that are given must hold. With `updated_since` those that changed first come first, so that a copy can be kept in step: go on with the `updated_date` and `service_number` of the last item as `updated_since` and `after_number` until a page is not full; begin the next round a minute before the latest `updated_date` that you have seen. `total` then stops at 10000.
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
         * @description Newest first. Every filter takes one value and all that are given must hold.
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
         * @description An accepted request becomes failed with the reason withdrawn, one under review becomes denied. A withdrawn cancellation leaves its service as it was; the service of a withdrawn creation is terminated. What a client asked for and nobody has decided on is denied instead.
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
    "/v1/sandbox/scenarios": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what the sandbox can simulate
         * @description Each simulated service, sample request and plan, and what it is good for. Sandbox keys only.
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
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Error: {
            /** @enum {boolean} */
            success: false;
            error: {
                /** @enum {string} */
                code: "invalid_request" | "missing_parameter" | "invalid_parameter" | "invalid_state" | "missing_customer_email" | "template_not_found" | "authentication_failed" | "insufficient_permissions" | "not_found" | "already_processed" | "rate_limit_exceeded" | "email_send_error" | "server_error";
                /** @description For people; do not branch on it */
                message: string;
                details?: {
                    /** @description A stable word that splits the code further. `invalid_request`: `https_required`, `malformed_json`, `not_an_object`, `content_type`, `body_too_large`, `malformed_request`. `invalid_parameter`: `plan_not_available`, `plan_is_current`, `plan_rank_not_higher`, `plan_rank_not_lower`, `end_of_term_not_available`, `recipient_not_verified`, `report_too_large`. `invalid_state`: `service_cancelled`, `service_terminated`, `service_not_active`, `cancellation_scheduled`, `plan_change_in_progress`, `billing_type_mismatch`, `awaiting_operator`, `awaiting_decision`, `work_has_begun`, `creation_closed`. `authentication_failed`: `missing`, `malformed`, `invalid`, `inactive`, `expired`. `insufficient_permissions`: `missing_scope`, `ip_not_whitelisted`. `already_processed`: `request_already_processed`, `idempotency_key_reused`. `email_send_error`: `rejected`, `unreachable`, `outcome_unknown`. */
                    reason?: string;
                    /** @description The same as the X-Request-Id header */
                    correlation_id?: string;
                    /** @description The faulty fields, 50 at most */
                    fields?: {
                        path: string;
                        rule: string;
                        message: string;
                    }[];
                    /** @description How many faulty fields more there are */
                    omitted?: number;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        Pagination: {
            page: number;
            perPage: number;
            total: number;
            totalPages: number;
        };
        AccessReport: {
            /** @enum {boolean} */
            authenticated: true;
            /**
             * @description test: the key is a sandbox key
             * @enum {string}
             */
            mode: "live" | "test";
            broker: {
                broker_id: string;
                name: string;
                /** @enum {string} */
                broker_status: "active" | "suspended";
            };
            api_key: {
                key_id: string;
                name: string;
                /** @example sk_live_4fTq81Zx */
                key_prefix: string;
                /** @enum {string} */
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
                /** @example 203.0.113.7 */
                last_used_ip: string | null;
            };
            permissions: {
                scopes: ("admin:full" | "plans:read" | "reports:send" | "requests:read" | "requests:write" | "services:read" | "services:write")[];
                can_create_services: boolean;
            };
            network: {
                /** @example 203.0.113.7 */
                client_ip: string;
                ip_restriction_enabled: boolean;
                /** @description The firewall rule, as entered, that let the call in */
                matched_rule: string | null;
            };
            rate_limit: {
                limit: number;
                /** @description This call counted */
                remaining: number;
                window_seconds: number;
                reset_seconds: number;
            };
            /**
             * Format: date-time
             * @description The time of the server.
             * @example 2026-03-01T09:30:00.000Z
             */
            server_date: string;
            /** @enum {string} */
            api_version: "v1";
        };
        AuthorizationReport: {
            /** @enum {boolean} */
            authenticated: true;
            /** @enum {boolean} */
            authorized: true;
            required_scopes: ("admin:full" | "plans:read" | "reports:send" | "requests:read" | "requests:write" | "services:read" | "services:write")[];
            /** @enum {string} */
            matched_scope: "admin:full" | "plans:read" | "reports:send" | "requests:read" | "requests:write" | "services:read" | "services:write";
            /**
             * @description test: the key is a sandbox key
             * @enum {string}
             */
            mode: "live" | "test";
            broker: {
                broker_id: string;
                name: string;
                /** @enum {string} */
                broker_status: "active" | "suspended";
            };
            api_key: {
                key_id: string;
                name: string;
                /** @example sk_live_4fTq81Zx */
                key_prefix: string;
                /** @enum {string} */
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
                /** @example 203.0.113.7 */
                last_used_ip: string | null;
            };
        };
        /**
         * @example {
         *       "service_number": 1000001,
         *       "service_status": "active",
         *       "label": "Shop",
         *       "external_reference": "CRM-4711",
         *       "client": {
         *         "name": "Ada Example",
         *         "email": "ada@example.com"
         *       },
         *       "plan": {
         *         "id": "pln_01KJQ7A4ZC5R0W8N3D6V1X9T2M",
         *         "slug": "starter",
         *         "display_name": "Starter",
         *         "upgrade_rank": 10,
         *         "billing_type": "monthly"
         *       },
         *       "specifications": {
         *         "vcpu": 1,
         *         "memory_mb": 2048,
         *         "disk_gb": 40,
         *         "transfer_gb": 1000
         *       },
         *       "price": {
         *         "amount": "6.00",
         *         "currency": "EUR"
         *       },
         *       "created_date": "2026-01-31T09:30:00.000Z",
         *       "updated_date": "2026-03-02T14:05:11.120Z",
         *       "renewal_date": "2026-03-31T09:30:00.000Z",
         *       "cancelled_date": null,
         *       "cancellation": null,
         *       "open_request": {
         *         "request_id": "req_01KJQB2Y7M4H6T0P9S3E8C5A1W",
         *         "type": "plan-downgrade",
         *         "request_status": "accepted"
         *       }
         *     }
         */
        Service: {
            /**
             * @description The public number of the service
             * @example 1000001
             */
            service_number: number;
            /** @enum {string} */
            service_status: "pending" | "active" | "suspended" | "cancelled" | "terminated";
            label: string | null;
            /** @description The broker's own reference */
            external_reference: string | null;
            client: {
                name: string;
                email: string | null;
            };
            /**
             * @example {
             *       "id": "pln_01JZ5Q0V3M8E4Y9T2B7C6D1F0G",
             *       "slug": "business",
             *       "display_name": "Business",
             *       "upgrade_rank": 20,
             *       "billing_type": "monthly"
             *     }
             */
            plan: {
                id: string;
                slug: string;
                display_name: string;
                /** @description Upgrades go to a higher rank, downgrades to a lower one */
                upgrade_rank: number;
                /**
                 * @description How the plan is billed
                 * @enum {string}
                 */
                billing_type: "monthly" | "hourly";
            };
            specifications: {
                vcpu: number | null;
                memory_mb: number | null;
                disk_gb: number | null;
                transfer_gb: number | null;
            } | null;
            price: {
                /**
                 * @description A decimal number as text, exactly as imported
                 * @example 24.90
                 */
                amount: string;
                /** @example EUR */
                currency: string;
            } | null;
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
             * @description Null where the plan is billed hourly
             * @example 2026-03-01T09:30:00.000Z
             */
            renewal_date: string | null;
            /**
             * Format: date-time
             * @description When the service was cancelled.
             * @example 2026-03-01T09:30:00.000Z
             */
            cancelled_date: string | null;
            /** @description The cancellation that is scheduled or done */
            cancellation: {
                /**
                 * @description end_of_term: at the renewal date. immediate: as soon as the work is done
                 * @enum {string}
                 */
                cancellation_type: "end_of_term" | "immediate";
                /**
                 * Format: date-time
                 * @description When the cancellation takes effect.
                 * @example 2026-03-01T09:30:00.000Z
                 */
                effective_date: string;
                request_id: string;
            } | null;
            /** @description The request about this service that is not final yet */
            open_request: {
                request_id: string;
                /** @enum {string} */
                type: "cancellation-warning" | "plan-upgrade" | "plan-downgrade" | "cancellation" | "service-creation";
                /**
                 * @description accepted: queued. completed, failed, approved and denied are final
                 * @enum {string}
                 */
                request_status: "pending" | "operator_review" | "accepted" | "completed" | "failed" | "approved" | "denied";
            } | null;
            /**
             * @description Only in simulated answers of a sandbox key
             * @enum {string}
             */
            mode?: "test";
            /**
             * @description Only in simulated answers of a sandbox key
             * @enum {boolean}
             */
            simulated?: true;
        };
        ServiceCreation: {
            request_id: string;
            /** @enum {string} */
            type: "cancellation-warning" | "plan-upgrade" | "plan-downgrade" | "cancellation" | "service-creation";
            /**
             * @description accepted: queued. completed, failed, approved and denied are final
             * @enum {string}
             */
            request_status: "pending" | "operator_review" | "accepted" | "completed" | "failed" | "approved" | "denied";
            /** @description True exactly while the operator reviews the request */
            operator_review: boolean;
            /**
             * @description The public number of the service
             * @example 1000001
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
             * @description When the request became final.
             * @example 2026-03-01T09:30:00.000Z
             */
            processed_date: string | null;
            /** @description The latest decision */
            decision: {
                /** @enum {string} */
                action: "approve" | "deny" | "accept";
                /** @enum {string} */
                decided_by: "broker" | "operator";
                reason: string | null;
                /**
                 * Format: date-time
                 * @description When it was decided.
                 * @example 2026-03-01T09:30:00.000Z
                 */
                decided_date: string;
            } | null;
            failure: {
                /** @description A stable word */
                reason: string;
                message: string;
                /** @description Whether the service still works as before */
                service_usable: boolean;
                /** @description Whether submitting the same again may succeed */
                retryable: boolean;
            } | null;
            /** @description True: nothing changes any more */
            is_final: boolean;
            /**
             * @description Seconds until it is worth asking again; null when final
             * @example 1
             */
            next_check_seconds: number | null;
            /** @description Cancellation warnings */
            warning_reason?: string;
            /**
             * @example {
             *       "id": "pln_01JZ5Q0V3M8E4Y9T2B7C6D1F0G",
             *       "slug": "business",
             *       "display_name": "Business",
             *       "upgrade_rank": 20,
             *       "billing_type": "monthly"
             *     }
             */
            current_plan?: {
                id: string;
                slug: string;
                display_name: string;
                /** @description Upgrades go to a higher rank, downgrades to a lower one */
                upgrade_rank: number;
                /**
                 * @description How the plan is billed
                 * @enum {string}
                 */
                billing_type: "monthly" | "hourly";
            };
            /**
             * @example {
             *       "id": "pln_01JZ5Q0V3M8E4Y9T2B7C6D1F0G",
             *       "slug": "business",
             *       "display_name": "Business",
             *       "upgrade_rank": 20,
             *       "billing_type": "monthly"
             *     }
             */
            new_plan?: {
                id: string;
                slug: string;
                display_name: string;
                /** @description Upgrades go to a higher rank, downgrades to a lower one */
                upgrade_rank: number;
                /**
                 * @description How the plan is billed
                 * @enum {string}
                 */
                billing_type: "monthly" | "hourly";
            };
            /**
             * Format: date-time
             * @description Plan changes and cancellations: when they take effect.
             * @example 2026-03-01T09:30:00.000Z
             */
            effective_date?: string | null;
            /**
             * @description Cancellations
             * @enum {string}
             */
            cancellation_type?: "end_of_term" | "immediate";
            /** @description Cancellations: why */
            reason?: string | null;
            /** @enum {string} */
            service_status: "pending" | "active" | "suspended" | "cancelled" | "terminated";
            /**
             * @description Only in simulated answers of a sandbox key
             * @enum {string}
             */
            mode?: "test";
            /**
             * @description Only in simulated answers of a sandbox key
             * @enum {boolean}
             */
            simulated?: true;
        };
        PlanChange: {
            /** @description Look the request up by it */
            request_id: string;
            /** @enum {string} */
            type: "plan-upgrade" | "plan-downgrade";
            /**
             * @description accepted: queued. completed, failed, approved and denied are final
             * @enum {string}
             */
            request_status: "pending" | "operator_review" | "accepted" | "completed" | "failed" | "approved" | "denied";
            /** @description True: the operator decides; do not submit again */
            operator_review: boolean;
            /**
             * @description The public number of the service
             * @example 1000001
             */
            service_number: number;
            /** @enum {string} */
            service_status: "pending" | "active" | "suspended" | "cancelled" | "terminated";
            /**
             * @example {
             *       "id": "pln_01JZ5Q0V3M8E4Y9T2B7C6D1F0G",
             *       "slug": "business",
             *       "display_name": "Business",
             *       "upgrade_rank": 20,
             *       "billing_type": "monthly"
             *     }
             */
            current_plan: {
                id: string;
                slug: string;
                display_name: string;
                /** @description Upgrades go to a higher rank, downgrades to a lower one */
                upgrade_rank: number;
                /**
                 * @description How the plan is billed
                 * @enum {string}
                 */
                billing_type: "monthly" | "hourly";
            };
            /**
             * @example {
             *       "id": "pln_01JZ5Q0V3M8E4Y9T2B7C6D1F0G",
             *       "slug": "business",
             *       "display_name": "Business",
             *       "upgrade_rank": 20,
             *       "billing_type": "monthly"
             *     }
             */
            new_plan: {
                id: string;
                slug: string;
                display_name: string;
                /** @description Upgrades go to a higher rank, downgrades to a lower one */
                upgrade_rank: number;
                /**
                 * @description How the plan is billed
                 * @enum {string}
                 */
                billing_type: "monthly" | "hourly";
            };
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
             * @description Seconds until it is worth asking again; null when final
             * @example 1
             */
            next_check_seconds: number | null;
            /**
             * @description Only in simulated answers of a sandbox key
             * @enum {string}
             */
            mode?: "test";
            /**
             * @description Only in simulated answers of a sandbox key
             * @enum {boolean}
             */
            simulated?: true;
        };
        UpgradeOptions: {
            /**
             * @example {
             *       "id": "pln_01JZ5Q0V3M8E4Y9T2B7C6D1F0G",
             *       "slug": "business",
             *       "display_name": "Business",
             *       "upgrade_rank": 20,
             *       "billing_type": "monthly"
             *     }
             */
            current_plan: {
                id: string;
                slug: string;
                display_name: string;
                /** @description Upgrades go to a higher rank, downgrades to a lower one */
                upgrade_rank: number;
                /**
                 * @description How the plan is billed
                 * @enum {string}
                 */
                billing_type: "monthly" | "hourly";
            };
            available: {
                id: string;
                slug: string;
                display_name: string;
                /** @description Upgrades go to a higher rank, downgrades to a lower one */
                upgrade_rank: number;
                /**
                 * @description How the plan is billed
                 * @enum {string}
                 */
                billing_type: "monthly" | "hourly";
                /** @description True: this upgrade would be reviewed (202) */
                operator_review: boolean;
            }[];
            unavailable: {
                /**
                 * @example {
                 *       "id": "pln_01JZ5Q0V3M8E4Y9T2B7C6D1F0G",
                 *       "slug": "business",
                 *       "display_name": "Business",
                 *       "upgrade_rank": 20,
                 *       "billing_type": "monthly"
                 *     }
                 */
                plan: {
                    id: string;
                    slug: string;
                    display_name: string;
                    /** @description Upgrades go to a higher rank, downgrades to a lower one */
                    upgrade_rank: number;
                    /**
                     * @description How the plan is billed
                     * @enum {string}
                     */
                    billing_type: "monthly" | "hourly";
                };
                /** @description The reason the upgrade would be refused with */
                reason: string;
            }[];
            /**
             * @description Only in simulated answers of a sandbox key
             * @enum {string}
             */
            mode?: "test";
            /**
             * @description Only in simulated answers of a sandbox key
             * @enum {boolean}
             */
            simulated?: true;
        };
        CancellationWarning: {
            /** @description Null: the email was sent, and its entry in the history could not be saved */
            request_id: string | null;
            /** @enum {string} */
            type: "cancellation-warning";
            /** @enum {string} */
            request_status: "approved";
            /**
             * @description The public number of the service
             * @example 1000001
             */
            service_number: number | null;
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
             * @enum {string}
             */
            mode?: "test";
            /**
             * @description Only in simulated answers of a sandbox key
             * @enum {boolean}
             */
            simulated?: true;
        };
        Plan: {
            id: string;
            slug: string;
            display_name: string;
            /** @description Upgrades go to a higher rank, downgrades to a lower one */
            upgrade_rank: number;
            /**
             * @description How the plan is billed
             * @enum {string}
             */
            billing_type: "monthly" | "hourly";
            description: string | null;
            specifications: {
                vcpu: number | null;
                memory_mb: number | null;
                disk_gb: number | null;
                transfer_gb: number | null;
            } | null;
            price: {
                /**
                 * @description A decimal number as text, exactly as imported
                 * @example 24.90
                 */
                amount: string;
                /** @example EUR */
                currency: string;
            } | null;
            /** @description Whether the operator reviews every move to this plan */
            requires_operator_review: boolean;
            /**
             * @description Only in simulated answers of a sandbox key
             * @enum {string}
             */
            mode?: "test";
            /**
             * @description Only in simulated answers of a sandbox key
             * @enum {boolean}
             */
            simulated?: true;
        };
        Request: {
            request_id: string;
            /** @enum {string} */
            type: "cancellation-warning" | "plan-upgrade" | "plan-downgrade" | "cancellation" | "service-creation";
            /**
             * @description accepted: queued. completed, failed, approved and denied are final
             * @enum {string}
             */
            request_status: "pending" | "operator_review" | "accepted" | "completed" | "failed" | "approved" | "denied";
            /** @description True exactly while the operator reviews the request */
            operator_review: boolean;
            /**
             * @description The public number of the service
             * @example 1000001
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
             * @description When the request became final.
             * @example 2026-03-01T09:30:00.000Z
             */
            processed_date: string | null;
            /** @description The latest decision */
            decision: {
                /** @enum {string} */
                action: "approve" | "deny" | "accept";
                /** @enum {string} */
                decided_by: "broker" | "operator";
                reason: string | null;
                /**
                 * Format: date-time
                 * @description When it was decided.
                 * @example 2026-03-01T09:30:00.000Z
                 */
                decided_date: string;
            } | null;
            failure: {
                /** @description A stable word */
                reason: string;
                message: string;
                /** @description Whether the service still works as before */
                service_usable: boolean;
                /** @description Whether submitting the same again may succeed */
                retryable: boolean;
            } | null;
            /** @description True: nothing changes any more */
            is_final: boolean;
            /**
             * @description Seconds until it is worth asking again; null when final
             * @example 1
             */
            next_check_seconds: number | null;
            /** @description Cancellation warnings */
            warning_reason?: string;
            /**
             * @example {
             *       "id": "pln_01JZ5Q0V3M8E4Y9T2B7C6D1F0G",
             *       "slug": "business",
             *       "display_name": "Business",
             *       "upgrade_rank": 20,
             *       "billing_type": "monthly"
             *     }
             */
            current_plan?: {
                id: string;
                slug: string;
                display_name: string;
                /** @description Upgrades go to a higher rank, downgrades to a lower one */
                upgrade_rank: number;
                /**
                 * @description How the plan is billed
                 * @enum {string}
                 */
                billing_type: "monthly" | "hourly";
            };
            /**
             * @example {
             *       "id": "pln_01JZ5Q0V3M8E4Y9T2B7C6D1F0G",
             *       "slug": "business",
             *       "display_name": "Business",
             *       "upgrade_rank": 20,
             *       "billing_type": "monthly"
             *     }
             */
            new_plan?: {
                id: string;
                slug: string;
                display_name: string;
                /** @description Upgrades go to a higher rank, downgrades to a lower one */
                upgrade_rank: number;
                /**
                 * @description How the plan is billed
                 * @enum {string}
                 */
                billing_type: "monthly" | "hourly";
            };
            /**
             * Format: date-time
             * @description Plan changes and cancellations: when they take effect.
             * @example 2026-03-01T09:30:00.000Z
             */
            effective_date?: string | null;
            /**
             * @description Cancellations
             * @enum {string}
             */
            cancellation_type?: "end_of_term" | "immediate";
            /** @description Cancellations: why */
            reason?: string | null;
            /**
             * @description Only in simulated answers of a sandbox key
             * @enum {string}
             */
            mode?: "test";
            /**
             * @description Only in simulated answers of a sandbox key
             * @enum {boolean}
             */
            simulated?: true;
        };
        RequestWithHistory: {
            request_id: string;
            /** @enum {string} */
            type: "cancellation-warning" | "plan-upgrade" | "plan-downgrade" | "cancellation" | "service-creation";
            /**
             * @description accepted: queued. completed, failed, approved and denied are final
             * @enum {string}
             */
            request_status: "pending" | "operator_review" | "accepted" | "completed" | "failed" | "approved" | "denied";
            /** @description True exactly while the operator reviews the request */
            operator_review: boolean;
            /**
             * @description The public number of the service
             * @example 1000001
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
             * @description When the request became final.
             * @example 2026-03-01T09:30:00.000Z
             */
            processed_date: string | null;
            /** @description The latest decision */
            decision: {
                /** @enum {string} */
                action: "approve" | "deny" | "accept";
                /** @enum {string} */
                decided_by: "broker" | "operator";
                reason: string | null;
                /**
                 * Format: date-time
                 * @description When it was decided.
                 * @example 2026-03-01T09:30:00.000Z
                 */
                decided_date: string;
            } | null;
            failure: {
                /** @description A stable word */
                reason: string;
                message: string;
                /** @description Whether the service still works as before */
                service_usable: boolean;
                /** @description Whether submitting the same again may succeed */
                retryable: boolean;
            } | null;
            /** @description True: nothing changes any more */
            is_final: boolean;
            /**
             * @description Seconds until it is worth asking again; null when final
             * @example 1
             */
            next_check_seconds: number | null;
            /** @description Cancellation warnings */
            warning_reason?: string;
            /**
             * @example {
             *       "id": "pln_01JZ5Q0V3M8E4Y9T2B7C6D1F0G",
             *       "slug": "business",
             *       "display_name": "Business",
             *       "upgrade_rank": 20,
             *       "billing_type": "monthly"
             *     }
             */
            current_plan?: {
                id: string;
                slug: string;
                display_name: string;
                /** @description Upgrades go to a higher rank, downgrades to a lower one */
                upgrade_rank: number;
                /**
                 * @description How the plan is billed
                 * @enum {string}
                 */
                billing_type: "monthly" | "hourly";
            };
            /**
             * @example {
             *       "id": "pln_01JZ5Q0V3M8E4Y9T2B7C6D1F0G",
             *       "slug": "business",
             *       "display_name": "Business",
             *       "upgrade_rank": 20,
             *       "billing_type": "monthly"
             *     }
             */
            new_plan?: {
                id: string;
                slug: string;
                display_name: string;
                /** @description Upgrades go to a higher rank, downgrades to a lower one */
                upgrade_rank: number;
                /**
                 * @description How the plan is billed
                 * @enum {string}
                 */
                billing_type: "monthly" | "hourly";
            };
            /**
             * Format: date-time
             * @description Plan changes and cancellations: when they take effect.
             * @example 2026-03-01T09:30:00.000Z
             */
            effective_date?: string | null;
            /**
             * @description Cancellations
             * @enum {string}
             */
            cancellation_type?: "end_of_term" | "immediate";
            /** @description Cancellations: why */
            reason?: string | null;
            /** @description Oldest first */
            history: {
                /**
                 * @description accepted: queued. completed, failed, approved and denied are final
                 * @enum {string}
                 */
                request_status: "pending" | "operator_review" | "accepted" | "completed" | "failed" | "approved" | "denied";
                /**
                 * Format: date-time
                 * @description When the request came into this state.
                 * @example 2026-03-01T09:30:00.000Z
                 */
                date: string;
                /** @enum {string} */
                actor: "client" | "broker" | "operator" | "system";
                note: string | null;
            }[];
            /**
             * @description Only in simulated answers of a sandbox key
             * @enum {string}
             */
            mode?: "test";
            /**
             * @description Only in simulated answers of a sandbox key
             * @enum {boolean}
             */
            simulated?: true;
        };
        /**
         * @example {
         *       "report_id": "rpt_01KJQ7A4ZC5R0W8N3D6V1X9T2M",
         *       "type": "invoices-report",
         *       "report_status": "sent",
         *       "recipient_email": "reports@example.com",
         *       "row_count": 42,
         *       "period_from": "2026-01-01T00:00:00.000Z",
         *       "period_to": "2026-04-01T00:00:00.000Z",
         *       "submitted_date": "2026-04-01T06:00:00.000Z",
         *       "processed_date": "2026-04-01T06:00:00.412Z"
         *     }
         */
        Report: {
            /** @description Also stands in the email */
            report_id: string;
            /** @enum {string} */
            type: "services-report" | "invoices-report";
            /** @enum {string} */
            report_status: "sent";
            /** @description Where the email went */
            recipient_email: string;
            /** @description Rows below the header line */
            row_count: number;
            /**
             * Format: date-time
             * @description The first moment that the report covers; null: no limit.
             * @example 2026-03-01T09:30:00.000Z
             */
            period_from: string | null;
            /**
             * Format: date-time
             * @description The first moment that the report does not cover any more; null: no limit.
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
             * @enum {string}
             */
            mode?: "test";
            /**
             * @description Only in simulated answers of a sandbox key
             * @enum {boolean}
             */
            simulated?: true;
        };
        Scenario: {
            /** @description A stable name */
            scenario: string;
            /** @enum {string} */
            kind: "service" | "request" | "plan";
            /**
             * @description The public number of the service
             * @example 1000001
             */
            service_number: number | null;
            request_id: string | null;
            plan_id: string | null;
            description: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The id of this answer; quote it when you ask for help */
        "X-Request-Id": string;
        /** @description Whole seconds to wait before the next try */
        "Retry-After": number;
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
        /** @description true: an earlier call did the work */
        "Idempotent-Replayed": string;
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["AccessReport"];
                        /** @description A note for people */
                        message?: string;
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `missing_parameter`, `invalid_parameter`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal operation failed. Codes: `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
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
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["AuthorizationReport"];
                        /** @description A note for people */
                        message?: string;
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `missing_parameter`, `invalid_parameter`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal operation failed. Codes: `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
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
                service_status?: "pending" | "active" | "suspended" | "cancelled" | "terminated";
                /** @description How the plan is billed */
                billing_type?: "monthly" | "hourly";
                /** @description A plan's id or slug */
                plan?: string;
                /** @description The whole address; case is ignored */
                client_email?: string;
                /** @description Text taken literally, anywhere in label, client name or external reference; case is ignored */
                search?: string;
                /** @description The broker's own reference, whole and exactly as it stands */
                external_reference?: string;
                /** @description Services that changed at or after this moment. RFC 3339 with an offset, or a date (00:00 UTC). */
                updated_since?: string;
                /** @description Services that renew before this moment. RFC 3339 with an offset, or a date (00:00 UTC). */
                renewal_before?: string;
                /** @description Beside updated_since: begins behind this service within that millisecond */
                after_number?: number;
                /** @description Services created at or after this moment. RFC 3339 with an offset, or a date (00:00 UTC). */
                created_from?: string;
                /** @description Services created before this moment. RFC 3339 with an offset, or a date (00:00 UTC). */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Service"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `missing_parameter`, `invalid_parameter`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal operation failed. Codes: `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
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
                "application/json": {
                    /** @description The plan: the id, slug or display name of an active plan. Case is ignored in the latter two. */
                    plan: string;
                    client: {
                        /** @description The client's name */
                        name: string;
                        /**
                         * Format: email
                         * @description The client's email address
                         */
                        email: string;
                    };
                    /** @description A name for the service */
                    label?: string;
                    /** @description The broker's own reference; it need not be unique */
                    external_reference?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ServiceCreation"];
                        /** @description A note for people */
                        message?: string;
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `missing_parameter`, `invalid_parameter`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal operation failed. Codes: `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
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
                 * @example 1000001
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Service"];
                        /** @description A note for people */
                        message?: string;
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `missing_parameter`, `invalid_parameter`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The broker has no such record. Codes: `not_found`. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal operation failed. Codes: `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
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
                 * @example 1000001
                 */
                service_number: number;
            };
            cookie?: never;
        };
        /** @description At least one of these; null takes away */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "external_reference": "CRM-4711",
                 *       "client": {
                 *         "email": "ada@example.com"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description A name for the service */
                    label?: string | null;
                    /** @description The broker's own reference; it need not be unique */
                    external_reference?: string | null;
                    client?: {
                        /** @description The client's name */
                        name?: string;
                        /**
                         * Format: email
                         * @description The client's email address
                         */
                        email?: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                        /** @enum {boolean} */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The broker has no such record. Codes: `not_found`. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Processed before, or an idempotency key was reused for another request. Codes: `already_processed`. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal operation failed. Codes: `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
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
                 * @example 1000001
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["UpgradeOptions"];
                        /** @description A note for people */
                        message?: string;
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `missing_parameter`, `invalid_parameter`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The broker has no such record. Codes: `not_found`. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal operation failed. Codes: `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
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
                 * @example 1000001
                 */
                service_number: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "new_plan": "business"
                 *     }
                 */
                "application/json": {
                    /** @description The plan to move to: the id, slug or display name of an active plan. Case is ignored in the latter two. */
                    new_plan: string;
                };
            };
        };
        responses: {
            /** @description Accepted and queued */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["PlanChange"];
                        /** @description A note for people */
                        message?: string;
                    };
                };
            };
            /** @description Under review by the operator; do not submit it again */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["PlanChange"];
                        /** @description A note for people */
                        message?: string;
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `missing_parameter`, `invalid_parameter`, `invalid_state`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The broker has no such record. Codes: `not_found`. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Processed before, or an idempotency key was reused for another request. Codes: `already_processed`. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal operation failed. Codes: `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
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
                 * @example 1000001
                 */
                service_number: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "new_plan": "business"
                 *     }
                 */
                "application/json": {
                    /** @description The plan to move to: the id, slug or display name of an active plan. Case is ignored in the latter two. */
                    new_plan: string;
                };
            };
        };
        responses: {
            /** @description Accepted and queued */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["PlanChange"];
                        /** @description A note for people */
                        message?: string;
                    };
                };
            };
            /** @description Under review by the operator; do not submit it again */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["PlanChange"];
                        /** @description A note for people */
                        message?: string;
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `missing_parameter`, `invalid_parameter`, `invalid_state`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The broker has no such record. Codes: `not_found`. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Processed before, or an idempotency key was reused for another request. Codes: `already_processed`. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal operation failed. Codes: `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
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
                 * @example 1000001
                 */
                service_number: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "cancellation_type": "end_of_term",
                 *       "reason": "The client moves in house."
                 *     }
                 */
                "application/json": {
                    /**
                     * @description end_of_term: at the renewal date. immediate: as soon as the work is done
                     * @default end_of_term
                     * @enum {string}
                     */
                    cancellation_type?: "end_of_term" | "immediate";
                    /** @description Why the service is cancelled */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Request"];
                        /** @description A note for people */
                        message?: string;
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `missing_parameter`, `invalid_parameter`, `invalid_state`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The broker has no such record. Codes: `not_found`. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Processed before, or an idempotency key was reused for another request. Codes: `already_processed`. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal operation failed. Codes: `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
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
                 * @example 1000001
                 */
                service_number: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "warningReason": "Invoice 2026-118 is 30 days overdue."
                 *     }
                 */
                "application/json": {
                    /** @description Why the client is warned; it stands in the email. Trimmed. */
                    warningReason: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The broker has no such record. Codes: `not_found`. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal operation failed. Codes: `email_send_error`, `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
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
                billing_type?: "monthly" | "hourly";
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Plan"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `missing_parameter`, `invalid_parameter`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal operation failed. Codes: `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
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
                type?: "cancellation-warning" | "plan-upgrade" | "plan-downgrade" | "cancellation" | "service-creation";
                /** @description accepted: queued. completed, failed, approved and denied are final */
                request_status?: "pending" | "operator_review" | "accepted" | "completed" | "failed" | "approved" | "denied";
                /**
                 * @description The public number of the service
                 * @example 1000001
                 */
                service_number?: number;
                /** @description Whether the operator reviews the request */
                operator_review?: boolean;
                /** @description Requests submitted at or after this moment. RFC 3339 with an offset, or a date (00:00 UTC). */
                submitted_from?: string;
                /** @description Requests submitted before this moment. RFC 3339 with an offset, or a date (00:00 UTC). */
                submitted_to?: string;
                /** @description Requests that changed at or after this moment. RFC 3339 with an offset, or a date (00:00 UTC). */
                updated_since?: string;
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Request"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `missing_parameter`, `invalid_parameter`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal operation failed. Codes: `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id that the submitting call answered */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["RequestWithHistory"];
                        /** @description A note for people */
                        message?: string;
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `missing_parameter`, `invalid_parameter`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The broker has no such record. Codes: `not_found`. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal operation failed. Codes: `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
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
                /** @description The id that the submitting call answered */
                request_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Agreed with the client by phone."
                 *     }
                 */
                "application/json": {
                    /** @description A note on the decision */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Request"];
                        /** @description A note for people */
                        message?: string;
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `missing_parameter`, `invalid_parameter`, `invalid_state`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The broker has no such record. Codes: `not_found`. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Processed before, or an idempotency key was reused for another request. Codes: `already_processed`. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal operation failed. Codes: `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    denyRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id that the submitting call answered */
                request_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "An invoice is still open."
                 *     }
                 */
                "application/json": {
                    /** @description Why the request is denied */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Request"];
                        /** @description A note for people */
                        message?: string;
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `missing_parameter`, `invalid_parameter`, `invalid_state`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The broker has no such record. Codes: `not_found`. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Processed before, or an idempotency key was reused for another request. Codes: `already_processed`. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal operation failed. Codes: `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
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
                /** @description The id that the submitting call answered */
                request_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "The client has paid."
                 *     }
                 */
                "application/json": {
                    /** @description Why it is taken back */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Request"];
                        /** @description A note for people */
                        message?: string;
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `missing_parameter`, `invalid_parameter`, `invalid_state`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The broker has no such record. Codes: `not_found`. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Processed before, or an idempotency key was reused for another request. Codes: `already_processed`. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal operation failed. Codes: `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
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
                /**
                 * @example {
                 *       "recipient_email": "reports@example.com",
                 *       "period_from": "2026-01-01",
                 *       "period_to": "2026-04-01",
                 *       "service_status": "active"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: email
                     * @description The broker's contact, which is the default, or an address on its verified list
                     */
                    recipient_email?: string;
                    /**
                     * @description Services created at or after this moment. RFC 3339 with an offset, or a date (00:00 UTC).
                     * @example 2026-03-01T00:00:00Z
                     * @example 2026-03-01
                     */
                    period_from?: string;
                    /**
                     * @description Services created before this moment. RFC 3339 with an offset, or a date (00:00 UTC).
                     * @example 2026-03-01T00:00:00Z
                     * @example 2026-03-01
                     */
                    period_to?: string;
                    /** @enum {string} */
                    service_status?: "pending" | "active" | "suspended" | "cancelled" | "terminated";
                    /**
                     * @description How the plan is billed
                     * @enum {string}
                     */
                    billing_type?: "monthly" | "hourly";
                    /** @description A plan's id or slug */
                    plan?: string;
                    /** @description The whole address; case is ignored */
                    client_email?: string;
                    /** @description Text taken literally, anywhere in label, client name or external reference; case is ignored */
                    search?: string;
                    /** @description The broker's own reference, whole and exactly as it stands */
                    external_reference?: string;
                    /**
                     * @description Services that changed at or after this moment. RFC 3339 with an offset, or a date (00:00 UTC).
                     * @example 2026-03-01T00:00:00Z
                     * @example 2026-03-01
                     */
                    updated_since?: string;
                    /**
                     * @description Services that renew before this moment. RFC 3339 with an offset, or a date (00:00 UTC).
                     * @example 2026-03-01T00:00:00Z
                     * @example 2026-03-01
                     */
                    renewal_before?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Report"];
                        /** @description A note for people */
                        message?: string;
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `missing_parameter`, `invalid_parameter`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal operation failed. Codes: `email_send_error`, `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
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
                /**
                 * @example {
                 *       "period_from": "2026-01-01",
                 *       "period_to": "2026-04-01",
                 *       "invoice_status": "open"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: email
                     * @description The broker's contact, which is the default, or an address on its verified list
                     */
                    recipient_email?: string;
                    /**
                     * @description Invoices issued at or after this moment. RFC 3339 with an offset, or a date (00:00 UTC).
                     * @example 2026-03-01T00:00:00Z
                     * @example 2026-03-01
                     */
                    period_from?: string;
                    /**
                     * @description Invoices issued before this moment. RFC 3339 with an offset, or a date (00:00 UTC).
                     * @example 2026-03-01T00:00:00Z
                     * @example 2026-03-01
                     */
                    period_to?: string;
                    /**
                     * @description The public number of the service
                     * @example 1000001
                     */
                    service_number?: number;
                    /** @enum {string} */
                    invoice_status?: "open" | "paid" | "void";
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Report"];
                        /** @description A note for people */
                        message?: string;
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `missing_parameter`, `invalid_parameter`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal operation failed. Codes: `email_send_error`, `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Scenario"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description The request, a parameter or the state of what it names is not fit for this. Codes: `invalid_request`, `missing_parameter`, `invalid_parameter`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing, malformed, unknown, inactive or expired. Codes: `authentication_failed`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the scope, or the address is not on the IP firewall. Codes: `insufficient_permissions`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The broker has no such record. Codes: `not_found`. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, or an address that failed to authenticate, made too many requests; see Retry-After. Codes: `rate_limit_exceeded`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal operation failed. Codes: `server_error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
