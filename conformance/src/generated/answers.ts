// Generated from the OpenAPI document by `npm run generate`; do not edit.
import type { Schema } from '../shapes.ts';

/** What `data` of a success is, by method, path and status. */
export const ANSWERS: Readonly<Record<string, Schema>> = {
  "GET /v1/auth-check 200": {
    "$ref": "#/components/schemas/AccessReport"
  },
  "POST /v1/auth-check 200": {
    "$ref": "#/components/schemas/AuthorizationReport"
  },
  "GET /v1/services 200": {
    "type": "array",
    "items": {
      "$ref": "#/components/schemas/Service"
    }
  },
  "POST /v1/services 201": {
    "allOf": [
      {
        "$ref": "#/components/schemas/ServiceCreation"
      },
      {
        "type": "object",
        "properties": {
          "request_status": {
            "const": "accepted"
          },
          "service_status": {
            "const": "pending"
          },
          "is_final": {
            "const": false
          }
        },
        "required": [
          "request_status",
          "service_status",
          "is_final"
        ]
      }
    ]
  },
  "GET /v1/services/{service_number} 200": {
    "$ref": "#/components/schemas/Service"
  },
  "POST /v1/services/{service_number}/update 200": {
    "$ref": "#/components/schemas/Service"
  },
  "GET /v1/services/{service_number}/upgrade-options 200": {
    "$ref": "#/components/schemas/UpgradeOptions"
  },
  "POST /v1/services/{service_number}/upgrade 200": {
    "allOf": [
      {
        "$ref": "#/components/schemas/PlanChange"
      },
      {
        "type": "object",
        "properties": {
          "type": {
            "const": "plan-upgrade"
          },
          "request_status": {
            "const": "accepted"
          },
          "operator_review": {
            "const": false
          },
          "is_final": {
            "const": false
          }
        },
        "required": [
          "type",
          "request_status",
          "operator_review",
          "is_final"
        ]
      }
    ]
  },
  "POST /v1/services/{service_number}/upgrade 202": {
    "allOf": [
      {
        "$ref": "#/components/schemas/PlanChange"
      },
      {
        "type": "object",
        "properties": {
          "type": {
            "const": "plan-upgrade"
          },
          "request_status": {
            "const": "operator_review"
          },
          "operator_review": {
            "const": true
          },
          "is_final": {
            "const": false
          }
        },
        "required": [
          "type",
          "request_status",
          "operator_review",
          "is_final"
        ]
      }
    ]
  },
  "POST /v1/services/{service_number}/downgrade 200": {
    "allOf": [
      {
        "$ref": "#/components/schemas/PlanChange"
      },
      {
        "type": "object",
        "properties": {
          "type": {
            "const": "plan-downgrade"
          },
          "request_status": {
            "const": "accepted"
          },
          "operator_review": {
            "const": false
          },
          "is_final": {
            "const": false
          }
        },
        "required": [
          "type",
          "request_status",
          "operator_review",
          "is_final"
        ]
      }
    ]
  },
  "POST /v1/services/{service_number}/downgrade 202": {
    "allOf": [
      {
        "$ref": "#/components/schemas/PlanChange"
      },
      {
        "type": "object",
        "properties": {
          "type": {
            "const": "plan-downgrade"
          },
          "request_status": {
            "const": "operator_review"
          },
          "operator_review": {
            "const": true
          },
          "is_final": {
            "const": false
          }
        },
        "required": [
          "type",
          "request_status",
          "operator_review",
          "is_final"
        ]
      }
    ]
  },
  "POST /v1/services/{service_number}/cancel 200": {
    "allOf": [
      {
        "$ref": "#/components/schemas/CancellationRequest"
      },
      {
        "type": "object",
        "properties": {
          "request_status": {
            "const": "accepted"
          },
          "is_final": {
            "const": false
          }
        },
        "required": [
          "request_status",
          "is_final"
        ]
      }
    ]
  },
  "POST /v1/services/{service_number}/cancellation-warning 200": {
    "$ref": "#/components/schemas/CancellationWarning"
  },
  "GET /v1/plans 200": {
    "type": "array",
    "items": {
      "$ref": "#/components/schemas/Plan"
    }
  },
  "GET /v1/requests 200": {
    "type": "array",
    "items": {
      "$ref": "#/components/schemas/Request"
    }
  },
  "GET /v1/requests/{request_id} 200": {
    "$ref": "#/components/schemas/RequestWithHistory"
  },
  "POST /v1/requests/{request_id}/approve 200": {
    "allOf": [
      {
        "$ref": "#/components/schemas/Request"
      },
      {
        "type": "object",
        "properties": {
          "request_status": {
            "enum": [
              "accepted",
              "operator_review"
            ]
          },
          "is_final": {
            "const": false
          }
        },
        "required": [
          "request_status",
          "is_final"
        ]
      }
    ]
  },
  "POST /v1/requests/{request_id}/deny 200": {
    "allOf": [
      {
        "$ref": "#/components/schemas/Request"
      },
      {
        "type": "object",
        "properties": {
          "request_status": {
            "const": "denied"
          },
          "is_final": {
            "const": true
          }
        },
        "required": [
          "request_status",
          "is_final"
        ]
      }
    ]
  },
  "POST /v1/requests/{request_id}/withdraw 200": {
    "allOf": [
      {
        "$ref": "#/components/schemas/Request"
      },
      {
        "type": "object",
        "properties": {
          "request_status": {
            "enum": [
              "failed",
              "denied"
            ]
          },
          "is_final": {
            "const": true
          }
        },
        "required": [
          "request_status",
          "is_final"
        ]
      }
    ]
  },
  "POST /v1/reports/services 200": {
    "allOf": [
      {
        "$ref": "#/components/schemas/Report"
      },
      {
        "type": "object",
        "properties": {
          "type": {
            "const": "services-report"
          }
        },
        "required": [
          "type"
        ]
      }
    ]
  },
  "POST /v1/reports/invoices 200": {
    "allOf": [
      {
        "$ref": "#/components/schemas/Report"
      },
      {
        "type": "object",
        "properties": {
          "type": {
            "const": "invoices-report"
          }
        },
        "required": [
          "type"
        ]
      }
    ]
  },
  "GET /v1/sandbox/scenarios 200": {
    "type": "array",
    "items": {
      "$ref": "#/components/schemas/Scenario"
    }
  }
};

/** What they refer to. */
export const SCHEMAS: Readonly<Record<string, Schema>> = {
  "AccessReport": {
    "type": "object",
    "required": [
      "authenticated",
      "mode",
      "broker",
      "api_key",
      "permissions",
      "network",
      "rate_limit",
      "server_date",
      "api_version"
    ],
    "properties": {
      "authenticated": {
        "const": true,
        "type": "boolean"
      },
      "mode": {
        "$ref": "#/components/schemas/Mode"
      },
      "broker": {
        "$ref": "#/components/schemas/Broker"
      },
      "api_key": {
        "$ref": "#/components/schemas/ApiKey"
      },
      "permissions": {
        "$ref": "#/components/schemas/Permissions"
      },
      "network": {
        "$ref": "#/components/schemas/NetworkPath"
      },
      "rate_limit": {
        "$ref": "#/components/schemas/RateLimit"
      },
      "server_date": {
        "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
        "type": "string"
      },
      "api_version": {
        "const": "v1",
        "type": "string"
      }
    }
  },
  "AuthorizationReport": {
    "type": "object",
    "required": [
      "authenticated",
      "authorized",
      "required_scopes",
      "matched_scope",
      "mode",
      "broker",
      "api_key"
    ],
    "properties": {
      "authenticated": {
        "const": true,
        "type": "boolean"
      },
      "authorized": {
        "const": true,
        "type": "boolean"
      },
      "required_scopes": {
        "type": "array",
        "items": {
          "$ref": "#/components/schemas/Scope"
        }
      },
      "matched_scope": {
        "$ref": "#/components/schemas/Scope"
      },
      "mode": {
        "$ref": "#/components/schemas/Mode"
      },
      "broker": {
        "$ref": "#/components/schemas/Broker"
      },
      "api_key": {
        "$ref": "#/components/schemas/ApiKey"
      }
    }
  },
  "Service": {
    "type": "object",
    "required": [
      "service_number",
      "service_status",
      "label",
      "external_reference",
      "client",
      "plan",
      "specifications",
      "price",
      "created_date",
      "updated_date",
      "renewal_date",
      "cancelled_date",
      "cancellation",
      "open_request"
    ],
    "properties": {
      "service_number": {
        "type": "integer"
      },
      "service_status": {
        "$ref": "#/components/schemas/ServiceStatus"
      },
      "label": {
        "type": [
          "string",
          "null"
        ],
        "pattern": "^[^\\u0000]*$"
      },
      "external_reference": {
        "type": [
          "string",
          "null"
        ],
        "pattern": "^[^\\u0000]*$"
      },
      "client": {
        "$ref": "#/components/schemas/Client"
      },
      "plan": {
        "$ref": "#/components/schemas/NestedPlan"
      },
      "specifications": {
        "oneOf": [
          {
            "$ref": "#/components/schemas/Specifications"
          },
          {
            "type": "null"
          }
        ]
      },
      "price": {
        "oneOf": [
          {
            "$ref": "#/components/schemas/Price"
          },
          {
            "type": "null"
          }
        ]
      },
      "created_date": {
        "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
        "type": "string"
      },
      "updated_date": {
        "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
        "type": "string"
      },
      "renewal_date": {
        "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
        "type": [
          "string",
          "null"
        ]
      },
      "cancelled_date": {
        "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
        "type": [
          "string",
          "null"
        ]
      },
      "cancellation": {
        "oneOf": [
          {
            "$ref": "#/components/schemas/ScheduledCancellation"
          },
          {
            "type": "null"
          }
        ]
      },
      "open_request": {
        "oneOf": [
          {
            "$ref": "#/components/schemas/OpenRequest"
          },
          {
            "type": "null"
          }
        ]
      },
      "mode": {
        "const": "test",
        "type": "string"
      },
      "simulated": {
        "const": true,
        "type": "boolean"
      }
    }
  },
  "ServiceCreation": {
    "allOf": [
      {
        "$ref": "#/components/schemas/ServiceCreationRequest"
      },
      {
        "type": "object",
        "required": [
          "service_status"
        ],
        "properties": {
          "service_status": {
            "$ref": "#/components/schemas/ServiceStatus"
          }
        }
      }
    ]
  },
  "UpgradeOptions": {
    "type": "object",
    "required": [
      "current_plan",
      "available",
      "unavailable"
    ],
    "properties": {
      "current_plan": {
        "$ref": "#/components/schemas/NestedPlan"
      },
      "available": {
        "type": "array",
        "items": {
          "$ref": "#/components/schemas/AvailableUpgrade"
        }
      },
      "unavailable": {
        "type": "array",
        "items": {
          "$ref": "#/components/schemas/UnavailableUpgrade"
        }
      },
      "mode": {
        "const": "test",
        "type": "string"
      },
      "simulated": {
        "const": true,
        "type": "boolean"
      }
    }
  },
  "PlanChange": {
    "type": "object",
    "required": [
      "request_id",
      "type",
      "request_status",
      "operator_review",
      "service_number",
      "service_status",
      "current_plan",
      "new_plan",
      "effective_date",
      "submitted_date",
      "processed_date",
      "is_final",
      "next_check_seconds"
    ],
    "properties": {
      "request_id": {
        "pattern": "^req_[0-9A-Za-z_-]{1,120}$",
        "type": "string"
      },
      "type": {
        "type": "string",
        "enum": [
          "plan-upgrade",
          "plan-downgrade"
        ]
      },
      "request_status": {
        "$ref": "#/components/schemas/RequestStatus"
      },
      "operator_review": {
        "type": "boolean"
      },
      "service_number": {
        "type": "integer"
      },
      "service_status": {
        "$ref": "#/components/schemas/ServiceStatus"
      },
      "current_plan": {
        "$ref": "#/components/schemas/NestedPlan"
      },
      "new_plan": {
        "$ref": "#/components/schemas/NestedPlan"
      },
      "effective_date": {
        "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
        "type": [
          "string",
          "null"
        ]
      },
      "submitted_date": {
        "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
        "type": "string"
      },
      "processed_date": {
        "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
        "type": [
          "string",
          "null"
        ]
      },
      "is_final": {
        "type": "boolean"
      },
      "next_check_seconds": {
        "type": [
          "integer",
          "null"
        ]
      },
      "mode": {
        "const": "test",
        "type": "string"
      },
      "simulated": {
        "const": true,
        "type": "boolean"
      }
    }
  },
  "CancellationRequest": {
    "type": "object",
    "required": [
      "request_id",
      "type",
      "request_status",
      "operator_review",
      "service_number",
      "origin",
      "submitted_date",
      "updated_date",
      "processed_date",
      "decision",
      "failure",
      "is_final",
      "next_check_seconds",
      "cancellation_type",
      "effective_date",
      "reason"
    ],
    "properties": {
      "request_id": {
        "pattern": "^req_[0-9A-Za-z_-]{1,120}$",
        "type": "string"
      },
      "type": {
        "const": "cancellation",
        "type": "string"
      },
      "request_status": {
        "type": "string",
        "enum": [
          "pending",
          "operator_review",
          "accepted",
          "completed",
          "failed",
          "denied"
        ]
      },
      "operator_review": {
        "type": "boolean"
      },
      "service_number": {
        "type": "integer"
      },
      "origin": {
        "type": "string",
        "enum": [
          "client",
          "broker",
          "operator"
        ]
      },
      "submitted_date": {
        "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
        "type": "string"
      },
      "updated_date": {
        "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
        "type": "string"
      },
      "processed_date": {
        "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
        "type": [
          "string",
          "null"
        ]
      },
      "decision": {
        "oneOf": [
          {
            "$ref": "#/components/schemas/Decision"
          },
          {
            "type": "null"
          }
        ]
      },
      "failure": {
        "oneOf": [
          {
            "$ref": "#/components/schemas/WorkFailure"
          },
          {
            "type": "null"
          }
        ]
      },
      "is_final": {
        "type": "boolean"
      },
      "next_check_seconds": {
        "type": [
          "integer",
          "null"
        ]
      },
      "cancellation_type": {
        "$ref": "#/components/schemas/CancellationType"
      },
      "effective_date": {
        "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
        "type": [
          "string",
          "null"
        ]
      },
      "reason": {
        "type": [
          "string",
          "null"
        ],
        "pattern": "^[^\\u0000]*$"
      },
      "mode": {
        "const": "test",
        "type": "string"
      },
      "simulated": {
        "const": true,
        "type": "boolean"
      }
    }
  },
  "CancellationWarning": {
    "type": "object",
    "required": [
      "request_id",
      "type",
      "request_status",
      "service_number",
      "warning_reason",
      "submitted_date",
      "processed_date"
    ],
    "properties": {
      "request_id": {
        "pattern": "^req_[0-9A-Za-z_-]{1,120}$",
        "type": [
          "string",
          "null"
        ]
      },
      "type": {
        "const": "cancellation-warning",
        "type": "string"
      },
      "request_status": {
        "const": "approved",
        "type": "string"
      },
      "service_number": {
        "type": [
          "integer",
          "null"
        ]
      },
      "warning_reason": {
        "type": "string",
        "pattern": "^[^\\u0000]*$"
      },
      "submitted_date": {
        "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
        "type": "string"
      },
      "processed_date": {
        "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
        "type": "string"
      },
      "mode": {
        "const": "test",
        "type": "string"
      },
      "simulated": {
        "const": true,
        "type": "boolean"
      }
    }
  },
  "Plan": {
    "type": "object",
    "required": [
      "id",
      "slug",
      "display_name",
      "upgrade_rank",
      "billing_type",
      "description",
      "specifications",
      "price",
      "requires_operator_review"
    ],
    "properties": {
      "id": {
        "pattern": "^pln_[0-9A-Za-z_-]{1,120}$",
        "type": "string"
      },
      "slug": {
        "type": "string",
        "pattern": "^[^\\u0000]*$"
      },
      "display_name": {
        "type": "string",
        "pattern": "^[^\\u0000]*$"
      },
      "upgrade_rank": {
        "type": "integer"
      },
      "billing_type": {
        "$ref": "#/components/schemas/BillingType"
      },
      "description": {
        "type": [
          "string",
          "null"
        ],
        "pattern": "^[^\\u0000]*$"
      },
      "specifications": {
        "oneOf": [
          {
            "$ref": "#/components/schemas/Specifications"
          },
          {
            "type": "null"
          }
        ]
      },
      "price": {
        "oneOf": [
          {
            "$ref": "#/components/schemas/Price"
          },
          {
            "type": "null"
          }
        ]
      },
      "requires_operator_review": {
        "type": "boolean"
      },
      "mode": {
        "const": "test",
        "type": "string"
      },
      "simulated": {
        "const": true,
        "type": "boolean"
      }
    }
  },
  "Request": {
    "oneOf": [
      {
        "$ref": "#/components/schemas/CancellationWarningRequest"
      },
      {
        "$ref": "#/components/schemas/PlanUpgradeRequest"
      },
      {
        "$ref": "#/components/schemas/PlanDowngradeRequest"
      },
      {
        "$ref": "#/components/schemas/CancellationRequest"
      },
      {
        "$ref": "#/components/schemas/ServiceCreationRequest"
      }
    ]
  },
  "RequestWithHistory": {
    "oneOf": [
      {
        "allOf": [
          {
            "$ref": "#/components/schemas/CancellationWarningRequest"
          },
          {
            "type": "object",
            "required": [
              "history"
            ],
            "properties": {
              "history": {
                "type": "array",
                "items": {
                  "$ref": "#/components/schemas/HistoryEntry"
                }
              }
            }
          }
        ]
      },
      {
        "allOf": [
          {
            "$ref": "#/components/schemas/PlanUpgradeRequest"
          },
          {
            "type": "object",
            "required": [
              "history"
            ],
            "properties": {
              "history": {
                "type": "array",
                "items": {
                  "$ref": "#/components/schemas/HistoryEntry"
                }
              }
            }
          }
        ]
      },
      {
        "allOf": [
          {
            "$ref": "#/components/schemas/PlanDowngradeRequest"
          },
          {
            "type": "object",
            "required": [
              "history"
            ],
            "properties": {
              "history": {
                "type": "array",
                "items": {
                  "$ref": "#/components/schemas/HistoryEntry"
                }
              }
            }
          }
        ]
      },
      {
        "allOf": [
          {
            "$ref": "#/components/schemas/CancellationRequest"
          },
          {
            "type": "object",
            "required": [
              "history"
            ],
            "properties": {
              "history": {
                "type": "array",
                "items": {
                  "$ref": "#/components/schemas/HistoryEntry"
                }
              }
            }
          }
        ]
      },
      {
        "allOf": [
          {
            "$ref": "#/components/schemas/ServiceCreationRequest"
          },
          {
            "type": "object",
            "required": [
              "history"
            ],
            "properties": {
              "history": {
                "type": "array",
                "items": {
                  "$ref": "#/components/schemas/HistoryEntry"
                }
              }
            }
          }
        ]
      }
    ]
  },
  "Report": {
    "type": "object",
    "required": [
      "report_id",
      "type",
      "report_status",
      "recipient_email",
      "row_count",
      "period_from",
      "period_to",
      "submitted_date",
      "processed_date"
    ],
    "properties": {
      "report_id": {
        "pattern": "^rpt_[0-9A-Za-z_-]{1,120}$",
        "type": "string"
      },
      "type": {
        "type": "string",
        "enum": [
          "services-report",
          "invoices-report"
        ]
      },
      "report_status": {
        "const": "sent",
        "type": "string"
      },
      "recipient_email": {
        "type": "string"
      },
      "row_count": {
        "type": "integer"
      },
      "period_from": {
        "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
        "type": [
          "string",
          "null"
        ]
      },
      "period_to": {
        "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
        "type": [
          "string",
          "null"
        ]
      },
      "submitted_date": {
        "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
        "type": "string"
      },
      "processed_date": {
        "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
        "type": "string"
      },
      "mode": {
        "const": "test",
        "type": "string"
      },
      "simulated": {
        "const": true,
        "type": "boolean"
      }
    }
  },
  "Scenario": {
    "type": "object",
    "required": [
      "scenario",
      "kind",
      "service_number",
      "request_id",
      "plan_id",
      "description"
    ],
    "properties": {
      "scenario": {
        "pattern": "^[a-z0-9_]+$",
        "type": "string"
      },
      "kind": {
        "type": "string",
        "enum": [
          "service",
          "request",
          "plan"
        ]
      },
      "service_number": {
        "type": [
          "integer",
          "null"
        ]
      },
      "request_id": {
        "pattern": "^req_[0-9A-Za-z_-]{1,120}$",
        "type": [
          "string",
          "null"
        ]
      },
      "plan_id": {
        "pattern": "^pln_[0-9A-Za-z_-]{1,120}$",
        "type": [
          "string",
          "null"
        ]
      },
      "description": {
        "type": "string",
        "pattern": "^[^\\u0000]*$"
      }
    }
  },
  "Mode": {
    "type": "string",
    "enum": [
      "live",
      "test"
    ]
  },
  "Broker": {
    "type": "object",
    "required": [
      "broker_id",
      "name",
      "broker_status"
    ],
    "properties": {
      "broker_id": {
        "pattern": "^brk_[0-9A-Za-z_-]{1,120}$",
        "type": "string"
      },
      "name": {
        "type": "string",
        "pattern": "^[^\\u0000]*$"
      },
      "broker_status": {
        "type": "string",
        "enum": [
          "active",
          "suspended"
        ]
      }
    }
  },
  "ApiKey": {
    "type": "object",
    "required": [
      "key_id",
      "name",
      "key_prefix",
      "key_status",
      "created_date",
      "expires_date",
      "last_used_date",
      "last_used_ip"
    ],
    "properties": {
      "key_id": {
        "pattern": "^key_[0-9A-Za-z_-]{1,120}$",
        "type": "string"
      },
      "name": {
        "type": "string",
        "pattern": "^[^\\u0000]*$"
      },
      "key_prefix": {
        "pattern": "^sk_(live|test)_[0-9A-Za-z]{8}$",
        "type": "string"
      },
      "key_status": {
        "type": "string",
        "enum": [
          "active",
          "revoked"
        ]
      },
      "created_date": {
        "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
        "type": "string"
      },
      "expires_date": {
        "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
        "type": [
          "string",
          "null"
        ]
      },
      "last_used_date": {
        "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
        "type": [
          "string",
          "null"
        ]
      },
      "last_used_ip": {
        "pattern": "^[0-9A-Fa-f:.]+$",
        "type": [
          "string",
          "null"
        ]
      }
    }
  },
  "Permissions": {
    "type": "object",
    "required": [
      "scopes",
      "can_create_services"
    ],
    "properties": {
      "scopes": {
        "type": "array",
        "items": {
          "$ref": "#/components/schemas/Scope"
        }
      },
      "can_create_services": {
        "type": "boolean"
      }
    }
  },
  "NetworkPath": {
    "type": "object",
    "required": [
      "client_ip",
      "ip_restriction_enabled",
      "matched_rule"
    ],
    "properties": {
      "client_ip": {
        "pattern": "^[0-9A-Fa-f:.]+$",
        "type": "string"
      },
      "ip_restriction_enabled": {
        "type": "boolean"
      },
      "matched_rule": {
        "pattern": "^[0-9A-Fa-f:./]+$",
        "type": [
          "string",
          "null"
        ]
      }
    }
  },
  "RateLimit": {
    "type": "object",
    "required": [
      "limit",
      "remaining",
      "window_seconds",
      "reset_seconds"
    ],
    "properties": {
      "limit": {
        "type": "integer"
      },
      "remaining": {
        "type": "integer"
      },
      "window_seconds": {
        "type": "integer"
      },
      "reset_seconds": {
        "type": "integer"
      }
    }
  },
  "Scope": {
    "type": "string",
    "enum": [
      "admin:full",
      "plans:read",
      "reports:send",
      "requests:read",
      "requests:write",
      "services:read",
      "services:write"
    ]
  },
  "ServiceStatus": {
    "type": "string",
    "enum": [
      "pending",
      "active",
      "suspended",
      "cancelled",
      "terminated"
    ]
  },
  "Client": {
    "type": "object",
    "required": [
      "name",
      "email"
    ],
    "properties": {
      "name": {
        "type": "string",
        "pattern": "^[^\\u0000]*$"
      },
      "email": {
        "type": [
          "string",
          "null"
        ],
        "pattern": "^[^\\u0000]*$"
      }
    }
  },
  "NestedPlan": {
    "type": "object",
    "required": [
      "id",
      "slug",
      "display_name",
      "upgrade_rank",
      "billing_type"
    ],
    "properties": {
      "id": {
        "pattern": "^pln_[0-9A-Za-z_-]{1,120}$",
        "type": "string"
      },
      "slug": {
        "type": "string",
        "pattern": "^[^\\u0000]*$"
      },
      "display_name": {
        "type": "string",
        "pattern": "^[^\\u0000]*$"
      },
      "upgrade_rank": {
        "type": "integer"
      },
      "billing_type": {
        "$ref": "#/components/schemas/BillingType"
      }
    }
  },
  "Specifications": {
    "type": "object",
    "required": [
      "vcpu",
      "memory_mb",
      "disk_gb",
      "transfer_gb"
    ],
    "properties": {
      "vcpu": {
        "type": [
          "integer",
          "null"
        ]
      },
      "memory_mb": {
        "type": [
          "integer",
          "null"
        ]
      },
      "disk_gb": {
        "type": [
          "integer",
          "null"
        ]
      },
      "transfer_gb": {
        "type": [
          "integer",
          "null"
        ]
      }
    }
  },
  "Price": {
    "type": "object",
    "required": [
      "amount",
      "currency"
    ],
    "properties": {
      "amount": {
        "pattern": "^\\d{1,15}(\\.\\d{1,6})?$",
        "type": "string"
      },
      "currency": {
        "pattern": "^[A-Z]{3}$",
        "type": "string"
      }
    }
  },
  "ScheduledCancellation": {
    "type": "object",
    "required": [
      "cancellation_type",
      "effective_date",
      "request_id"
    ],
    "properties": {
      "cancellation_type": {
        "$ref": "#/components/schemas/CancellationType"
      },
      "effective_date": {
        "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
        "type": "string"
      },
      "request_id": {
        "pattern": "^req_[0-9A-Za-z_-]{1,120}$",
        "type": "string"
      }
    }
  },
  "OpenRequest": {
    "type": "object",
    "required": [
      "request_id",
      "type",
      "request_status"
    ],
    "properties": {
      "request_id": {
        "pattern": "^req_[0-9A-Za-z_-]{1,120}$",
        "type": "string"
      },
      "type": {
        "$ref": "#/components/schemas/RequestType"
      },
      "request_status": {
        "$ref": "#/components/schemas/RequestStatus"
      }
    }
  },
  "ServiceCreationRequest": {
    "type": "object",
    "required": [
      "request_id",
      "type",
      "request_status",
      "operator_review",
      "service_number",
      "origin",
      "submitted_date",
      "updated_date",
      "processed_date",
      "decision",
      "failure",
      "is_final",
      "next_check_seconds",
      "new_plan"
    ],
    "properties": {
      "request_id": {
        "pattern": "^req_[0-9A-Za-z_-]{1,120}$",
        "type": "string"
      },
      "type": {
        "const": "service-creation",
        "type": "string"
      },
      "request_status": {
        "type": "string",
        "enum": [
          "accepted",
          "completed",
          "failed"
        ]
      },
      "operator_review": {
        "type": "boolean"
      },
      "service_number": {
        "type": "integer"
      },
      "origin": {
        "type": "string",
        "enum": [
          "client",
          "broker",
          "operator"
        ]
      },
      "submitted_date": {
        "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
        "type": "string"
      },
      "updated_date": {
        "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
        "type": "string"
      },
      "processed_date": {
        "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
        "type": [
          "string",
          "null"
        ]
      },
      "decision": {
        "oneOf": [
          {
            "$ref": "#/components/schemas/Decision"
          },
          {
            "type": "null"
          }
        ]
      },
      "failure": {
        "oneOf": [
          {
            "$ref": "#/components/schemas/WorkFailure"
          },
          {
            "type": "null"
          }
        ]
      },
      "is_final": {
        "type": "boolean"
      },
      "next_check_seconds": {
        "type": [
          "integer",
          "null"
        ]
      },
      "new_plan": {
        "$ref": "#/components/schemas/NestedPlan"
      },
      "mode": {
        "const": "test",
        "type": "string"
      },
      "simulated": {
        "const": true,
        "type": "boolean"
      }
    }
  },
  "AvailableUpgrade": {
    "type": "object",
    "required": [
      "id",
      "slug",
      "display_name",
      "upgrade_rank",
      "billing_type",
      "operator_review"
    ],
    "properties": {
      "id": {
        "pattern": "^pln_[0-9A-Za-z_-]{1,120}$",
        "type": "string"
      },
      "slug": {
        "type": "string",
        "pattern": "^[^\\u0000]*$"
      },
      "display_name": {
        "type": "string",
        "pattern": "^[^\\u0000]*$"
      },
      "upgrade_rank": {
        "type": "integer"
      },
      "billing_type": {
        "$ref": "#/components/schemas/BillingType"
      },
      "operator_review": {
        "type": "boolean"
      }
    }
  },
  "UnavailableUpgrade": {
    "type": "object",
    "required": [
      "plan",
      "reason"
    ],
    "properties": {
      "plan": {
        "$ref": "#/components/schemas/NestedPlan"
      },
      "reason": {
        "type": "string",
        "enum": [
          "service_cancelled",
          "service_terminated",
          "service_not_active",
          "cancellation_scheduled",
          "plan_change_in_progress",
          "billing_type_mismatch",
          "awaiting_operator",
          "awaiting_decision",
          "work_has_begun",
          "creation_closed",
          "plan_not_available",
          "plan_is_current",
          "plan_rank_not_higher",
          "plan_rank_not_lower",
          "end_of_term_not_available",
          "recipient_not_verified",
          "report_too_large"
        ]
      }
    }
  },
  "RequestStatus": {
    "type": "string",
    "enum": [
      "pending",
      "operator_review",
      "accepted",
      "completed",
      "failed",
      "approved",
      "denied"
    ]
  },
  "Decision": {
    "type": "object",
    "required": [
      "action",
      "decided_by",
      "reason",
      "decided_date"
    ],
    "properties": {
      "action": {
        "type": "string",
        "enum": [
          "approve",
          "deny",
          "accept"
        ]
      },
      "decided_by": {
        "type": "string",
        "enum": [
          "broker",
          "operator"
        ]
      },
      "reason": {
        "type": [
          "string",
          "null"
        ],
        "pattern": "^[^\\u0000]*$"
      },
      "decided_date": {
        "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
        "type": "string"
      }
    }
  },
  "WorkFailure": {
    "type": "object",
    "required": [
      "reason",
      "message",
      "service_usable",
      "retryable"
    ],
    "properties": {
      "reason": {
        "pattern": "^[a-z0-9_]{1,64}$",
        "type": "string"
      },
      "message": {
        "type": "string",
        "pattern": "^[^\\u0000]*$"
      },
      "service_usable": {
        "type": "boolean"
      },
      "retryable": {
        "type": "boolean"
      }
    }
  },
  "CancellationType": {
    "type": "string",
    "enum": [
      "end_of_term",
      "immediate"
    ]
  },
  "BillingType": {
    "type": "string",
    "enum": [
      "monthly",
      "hourly"
    ]
  },
  "CancellationWarningRequest": {
    "type": "object",
    "required": [
      "request_id",
      "type",
      "request_status",
      "operator_review",
      "service_number",
      "origin",
      "submitted_date",
      "updated_date",
      "processed_date",
      "decision",
      "failure",
      "is_final",
      "next_check_seconds",
      "warning_reason"
    ],
    "properties": {
      "request_id": {
        "pattern": "^req_[0-9A-Za-z_-]{1,120}$",
        "type": "string"
      },
      "type": {
        "const": "cancellation-warning",
        "type": "string"
      },
      "request_status": {
        "type": "string",
        "enum": [
          "approved"
        ]
      },
      "operator_review": {
        "type": "boolean"
      },
      "service_number": {
        "type": "integer"
      },
      "origin": {
        "type": "string",
        "enum": [
          "client",
          "broker",
          "operator"
        ]
      },
      "submitted_date": {
        "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
        "type": "string"
      },
      "updated_date": {
        "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
        "type": "string"
      },
      "processed_date": {
        "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
        "type": [
          "string",
          "null"
        ]
      },
      "decision": {
        "oneOf": [
          {
            "$ref": "#/components/schemas/Decision"
          },
          {
            "type": "null"
          }
        ]
      },
      "failure": {
        "oneOf": [
          {
            "$ref": "#/components/schemas/WorkFailure"
          },
          {
            "type": "null"
          }
        ]
      },
      "is_final": {
        "type": "boolean"
      },
      "next_check_seconds": {
        "type": [
          "integer",
          "null"
        ]
      },
      "warning_reason": {
        "type": "string",
        "pattern": "^[^\\u0000]*$"
      },
      "mode": {
        "const": "test",
        "type": "string"
      },
      "simulated": {
        "const": true,
        "type": "boolean"
      }
    }
  },
  "PlanUpgradeRequest": {
    "type": "object",
    "required": [
      "request_id",
      "type",
      "request_status",
      "operator_review",
      "service_number",
      "origin",
      "submitted_date",
      "updated_date",
      "processed_date",
      "decision",
      "failure",
      "is_final",
      "next_check_seconds",
      "current_plan",
      "new_plan",
      "effective_date"
    ],
    "properties": {
      "request_id": {
        "pattern": "^req_[0-9A-Za-z_-]{1,120}$",
        "type": "string"
      },
      "type": {
        "const": "plan-upgrade",
        "type": "string"
      },
      "request_status": {
        "type": "string",
        "enum": [
          "pending",
          "operator_review",
          "accepted",
          "completed",
          "failed",
          "denied"
        ]
      },
      "operator_review": {
        "type": "boolean"
      },
      "service_number": {
        "type": "integer"
      },
      "origin": {
        "type": "string",
        "enum": [
          "client",
          "broker",
          "operator"
        ]
      },
      "submitted_date": {
        "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
        "type": "string"
      },
      "updated_date": {
        "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
        "type": "string"
      },
      "processed_date": {
        "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
        "type": [
          "string",
          "null"
        ]
      },
      "decision": {
        "oneOf": [
          {
            "$ref": "#/components/schemas/Decision"
          },
          {
            "type": "null"
          }
        ]
      },
      "failure": {
        "oneOf": [
          {
            "$ref": "#/components/schemas/WorkFailure"
          },
          {
            "type": "null"
          }
        ]
      },
      "is_final": {
        "type": "boolean"
      },
      "next_check_seconds": {
        "type": [
          "integer",
          "null"
        ]
      },
      "current_plan": {
        "$ref": "#/components/schemas/NestedPlan"
      },
      "new_plan": {
        "$ref": "#/components/schemas/NestedPlan"
      },
      "effective_date": {
        "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
        "type": [
          "string",
          "null"
        ]
      },
      "mode": {
        "const": "test",
        "type": "string"
      },
      "simulated": {
        "const": true,
        "type": "boolean"
      }
    }
  },
  "PlanDowngradeRequest": {
    "type": "object",
    "required": [
      "request_id",
      "type",
      "request_status",
      "operator_review",
      "service_number",
      "origin",
      "submitted_date",
      "updated_date",
      "processed_date",
      "decision",
      "failure",
      "is_final",
      "next_check_seconds",
      "current_plan",
      "new_plan",
      "effective_date"
    ],
    "properties": {
      "request_id": {
        "pattern": "^req_[0-9A-Za-z_-]{1,120}$",
        "type": "string"
      },
      "type": {
        "const": "plan-downgrade",
        "type": "string"
      },
      "request_status": {
        "type": "string",
        "enum": [
          "pending",
          "operator_review",
          "accepted",
          "completed",
          "failed",
          "denied"
        ]
      },
      "operator_review": {
        "type": "boolean"
      },
      "service_number": {
        "type": "integer"
      },
      "origin": {
        "type": "string",
        "enum": [
          "client",
          "broker",
          "operator"
        ]
      },
      "submitted_date": {
        "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
        "type": "string"
      },
      "updated_date": {
        "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
        "type": "string"
      },
      "processed_date": {
        "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
        "type": [
          "string",
          "null"
        ]
      },
      "decision": {
        "oneOf": [
          {
            "$ref": "#/components/schemas/Decision"
          },
          {
            "type": "null"
          }
        ]
      },
      "failure": {
        "oneOf": [
          {
            "$ref": "#/components/schemas/WorkFailure"
          },
          {
            "type": "null"
          }
        ]
      },
      "is_final": {
        "type": "boolean"
      },
      "next_check_seconds": {
        "type": [
          "integer",
          "null"
        ]
      },
      "current_plan": {
        "$ref": "#/components/schemas/NestedPlan"
      },
      "new_plan": {
        "$ref": "#/components/schemas/NestedPlan"
      },
      "effective_date": {
        "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
        "type": [
          "string",
          "null"
        ]
      },
      "mode": {
        "const": "test",
        "type": "string"
      },
      "simulated": {
        "const": true,
        "type": "boolean"
      }
    }
  },
  "HistoryEntry": {
    "type": "object",
    "required": [
      "request_status",
      "date",
      "actor",
      "note"
    ],
    "properties": {
      "request_status": {
        "$ref": "#/components/schemas/RequestStatus"
      },
      "date": {
        "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
        "type": "string"
      },
      "actor": {
        "type": "string",
        "enum": [
          "client",
          "broker",
          "operator",
          "system"
        ]
      },
      "note": {
        "type": [
          "string",
          "null"
        ],
        "pattern": "^[^\\u0000]*$"
      }
    }
  },
  "RequestType": {
    "type": "string",
    "enum": [
      "cancellation-warning",
      "plan-upgrade",
      "plan-downgrade",
      "cancellation",
      "service-creation"
    ]
  }
};
