// Answers of the server, written down by `npm run generate` (tools/examples.ts); do not edit.
import type { Examples } from './document.ts';

export const EXAMPLES: Examples = {
 "shared": {
  "authentication_failed.missing": {
   "summary": "No key",
   "value": {
    "success": false,
    "error": {
     "code": "authentication_failed",
     "message": "Invalid API key",
     "details": {
      "reason": "missing",
      "correlation_id": "Yk3vQ0c1TzAB-1k"
     }
    }
   }
  },
  "authentication_failed.malformed": {
   "summary": "No key of ours: a typing error, or only a part of one",
   "value": {
    "success": false,
    "error": {
     "code": "authentication_failed",
     "message": "Invalid API key",
     "details": {
      "reason": "malformed",
      "correlation_id": "Yk3vQ0c1TzAB-1k"
     }
    }
   }
  },
  "authentication_failed.invalid": {
   "summary": "A key that nobody was given",
   "value": {
    "success": false,
    "error": {
     "code": "authentication_failed",
     "message": "Invalid API key",
     "details": {
      "reason": "invalid",
      "correlation_id": "Yk3vQ0c1TzAB-1k"
     }
    }
   }
  },
  "authentication_failed.inactive": {
   "summary": "A key that was revoked, or whose broker is suspended",
   "value": {
    "success": false,
    "error": {
     "code": "authentication_failed",
     "message": "Invalid API key",
     "details": {
      "reason": "inactive",
      "correlation_id": "Yk3vQ0c1TzAB-1k"
     }
    }
   }
  },
  "authentication_failed.expired": {
   "summary": "A key that has ended",
   "value": {
    "success": false,
    "error": {
     "code": "authentication_failed",
     "message": "Invalid API key",
     "details": {
      "reason": "expired",
      "correlation_id": "Yk3vQ0c1TzAB-1k",
      "expired_date": "2026-03-01T09:30:00.000Z"
     }
    }
   }
  },
  "invalid_request.malformed_json": {
   "summary": "No JSON",
   "value": {
    "success": false,
    "error": {
     "code": "invalid_request",
     "message": "The body is not valid JSON",
     "details": {
      "reason": "malformed_json",
      "correlation_id": "Yk3vQ0c1TzAB-1k"
     }
    }
   }
  },
  "invalid_request.not_an_object": {
   "summary": "JSON, but no object",
   "value": {
    "success": false,
    "error": {
     "code": "invalid_request",
     "message": "The body must be a JSON object",
     "details": {
      "reason": "not_an_object",
      "correlation_id": "Yk3vQ0c1TzAB-1k"
     }
    }
   }
  },
  "invalid_request.content_type": {
   "summary": "Another content type",
   "value": {
    "success": false,
    "error": {
     "code": "invalid_request",
     "message": "The body must be sent as application/json",
     "details": {
      "reason": "content_type",
      "correlation_id": "Yk3vQ0c1TzAB-1k"
     }
    }
   }
  },
  "invalid_request.body_too_large": {
   "summary": "More than 64 KiB",
   "value": {
    "success": false,
    "error": {
     "code": "invalid_request",
     "message": "The body is larger than 64 KiB",
     "details": {
      "reason": "body_too_large",
      "correlation_id": "Yk3vQ0c1TzAB-1k"
     }
    }
   }
  },
  "invalid_request.malformed_request": {
   "summary": "What cannot be read as a request",
   "value": {
    "success": false,
    "error": {
     "code": "invalid_request",
     "message": "The URL cannot be decoded",
     "details": {
      "reason": "malformed_request",
      "correlation_id": "Yk3vQ0c1TzAB-1k"
     }
    }
   }
  },
  "rate_limit_exceeded": {
   "summary": "The key's window is used up",
   "value": {
    "success": false,
    "error": {
     "code": "rate_limit_exceeded",
     "message": "Rate limit exceeded",
     "details": {
      "correlation_id": "Yk3vQ0c1TzAB-1k",
      "limit": 120,
      "window_seconds": 60,
      "retry_after_seconds": 1
     }
    }
   }
  },
  "rate_limit_exceeded.authentication": {
   "summary": "Too many failed authentications from this address",
   "value": {
    "success": false,
    "error": {
     "code": "rate_limit_exceeded",
     "message": "Rate limit exceeded",
     "details": {
      "correlation_id": "Yk3vQ0c1TzAB-1k",
      "limit": 8,
      "window_seconds": 60,
      "retry_after_seconds": 60
     }
    }
   }
  },
  "insufficient_permissions.ip_not_whitelisted": {
   "summary": "The address is not on the IP firewall",
   "value": {
    "success": false,
    "error": {
     "code": "insufficient_permissions",
     "message": "IP address not whitelisted",
     "details": {
      "reason": "ip_not_whitelisted",
      "correlation_id": "Yk3vQ0c1TzAB-1k",
      "client_ip": "127.0.0.1"
     }
    }
   }
  },
  "server_error": {
   "summary": "Anything unforeseen",
   "value": {
    "success": false,
    "error": {
     "code": "server_error",
     "message": "Internal server error"
    }
   }
  },
  "server_error.busy": {
   "summary": "Overload, a restart, the database away: see Retry-After",
   "value": {
    "success": false,
    "error": {
     "code": "server_error",
     "message": "Service temporarily unavailable"
    }
   }
  },
  "invalid_request.https_required": {
   "summary": "Plain HTTP where HTTPS is required",
   "value": {
    "success": false,
    "error": {
     "code": "invalid_request",
     "message": "Use HTTPS",
     "details": {
      "reason": "https_required",
      "correlation_id": "Yk3vQ0c1TzAB-1k"
     }
    }
   }
  }
 },
 "operations": {
  "checkAccess": {
   "path": {},
   "responses": {
    "200": {
     "sandbox": {
      "summary": "The demo data's sandbox key",
      "value": {
       "success": true,
       "data": {
        "authenticated": true,
        "mode": "test",
        "broker": {
         "broker_id": "brk_01KJPY44E06D7BK8CA9G0KRMCD",
         "name": "Demo Hosting",
         "broker_status": "active"
        },
        "api_key": {
         "key_id": "key_01KJPY44E08THX60ADCE7HPPYC",
         "name": "Demo key (admin:full)",
         "key_prefix": "sk_test_4fTq81Zx",
         "key_status": "active",
         "created_date": "2026-03-02T09:30:00.000Z",
         "expires_date": null,
         "last_used_date": null,
         "last_used_ip": null
        },
        "permissions": {
         "scopes": [
          "admin:full"
         ],
         "can_create_services": true
        },
        "network": {
         "client_ip": "127.0.0.1",
         "ip_restriction_enabled": false,
         "matched_rule": null
        },
        "rate_limit": {
         "limit": 120,
         "remaining": 119,
         "window_seconds": 60,
         "reset_seconds": 60
        },
        "server_date": "2026-03-02T09:30:00.000Z",
        "api_version": "v1"
       }
      }
     },
     "live": {
      "summary": "Its live key",
      "value": {
       "success": true,
       "data": {
        "authenticated": true,
        "mode": "live",
        "broker": {
         "broker_id": "brk_01KJPY44E06D7BK8CA9G0KRMCD",
         "name": "Demo Hosting",
         "broker_status": "active"
        },
        "api_key": {
         "key_id": "key_01KJPY44E0GZN9ANXNDSWC2W7Y",
         "name": "Demo key (admin:full)",
         "key_prefix": "sk_live_4fTq81Zx",
         "key_status": "active",
         "created_date": "2026-03-02T09:30:00.000Z",
         "expires_date": null,
         "last_used_date": null,
         "last_used_ip": null
        },
        "permissions": {
         "scopes": [
          "admin:full"
         ],
         "can_create_services": true
        },
        "network": {
         "client_ip": "127.0.0.1",
         "ip_restriction_enabled": false,
         "matched_rule": null
        },
        "rate_limit": {
         "limit": 120,
         "remaining": 119,
         "window_seconds": 60,
         "reset_seconds": 60
        },
        "server_date": "2026-03-02T09:30:00.000Z",
        "api_version": "v1"
       }
      }
     }
    },
    "400": {
     "invalid_parameter": {
      "summary": "An unknown query parameter",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_parameter",
        "message": "Invalid: query.verbose",
        "details": {
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "fields": [
          {
           "path": "query.verbose",
           "rule": "unknown",
           "message": "is not known here"
          }
         ]
        }
       }
      }
     },
     "invalid_request_malformed_request": "invalid_request.malformed_request",
     "invalid_request_https_required": "invalid_request.https_required"
    },
    "401": {
     "authentication_failed_missing": "authentication_failed.missing",
     "authentication_failed_malformed": "authentication_failed.malformed",
     "authentication_failed_invalid": "authentication_failed.invalid",
     "authentication_failed_inactive": "authentication_failed.inactive",
     "authentication_failed_expired": "authentication_failed.expired"
    },
    "403": {
     "insufficient_permissions_ip_not_whitelisted": "insufficient_permissions.ip_not_whitelisted"
    },
    "429": {
     "rate_limit_exceeded": "rate_limit_exceeded",
     "rate_limit_exceeded_authentication": "rate_limit_exceeded.authentication"
    },
    "500": {
     "server_error": "server_error",
     "server_error_busy": "server_error.busy"
    }
   }
  },
  "checkAuthorization": {
   "path": {},
   "body": {},
   "responses": {
    "200": {
     "authorized": {
      "summary": "The key may create services",
      "value": {
       "success": true,
       "data": {
        "authenticated": true,
        "authorized": true,
        "required_scopes": [
         "services:write",
         "admin:full"
        ],
        "matched_scope": "admin:full",
        "mode": "test",
        "broker": {
         "broker_id": "brk_01KJPY44E0ZTJ57GQ3FHEMGJF6",
         "name": "Demo Hosting",
         "broker_status": "active"
        },
        "api_key": {
         "key_id": "key_01KJPY44E0XAS1MHDNJT5TFHQ7",
         "name": "Demo key (admin:full)",
         "key_prefix": "sk_test_4fTq81Zx",
         "key_status": "active",
         "created_date": "2026-03-02T09:30:00.000Z",
         "expires_date": null,
         "last_used_date": null,
         "last_used_ip": null
        }
       }
      }
     }
    },
    "400": {
     "invalid_parameter": {
      "summary": "An unknown query parameter",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_parameter",
        "message": "Invalid: query.verbose",
        "details": {
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "fields": [
          {
           "path": "query.verbose",
           "rule": "unknown",
           "message": "is not known here"
          }
         ]
        }
       }
      }
     },
     "invalid_request_malformed_json": "invalid_request.malformed_json",
     "invalid_request_not_an_object": "invalid_request.not_an_object",
     "invalid_request_content_type": "invalid_request.content_type",
     "invalid_request_body_too_large": "invalid_request.body_too_large",
     "invalid_request_malformed_request": "invalid_request.malformed_request",
     "invalid_request_https_required": "invalid_request.https_required"
    },
    "401": {
     "authentication_failed_missing": "authentication_failed.missing",
     "authentication_failed_malformed": "authentication_failed.malformed",
     "authentication_failed_invalid": "authentication_failed.invalid",
     "authentication_failed_inactive": "authentication_failed.inactive",
     "authentication_failed_expired": "authentication_failed.expired"
    },
    "403": {
     "missing_scope": {
      "summary": "Missing required scope",
      "value": {
       "success": false,
       "error": {
        "code": "insufficient_permissions",
        "message": "Missing required scope",
        "details": {
         "reason": "missing_scope",
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "required_scopes": [
          "services:write",
          "admin:full"
         ],
         "granted_scopes": []
        }
       }
      }
     },
     "insufficient_permissions_ip_not_whitelisted": "insufficient_permissions.ip_not_whitelisted"
    },
    "429": {
     "rate_limit_exceeded": "rate_limit_exceeded",
     "rate_limit_exceeded_authentication": "rate_limit_exceeded.authentication"
    },
    "500": {
     "server_error": "server_error",
     "server_error_busy": "server_error.busy"
    }
   }
  },
  "listServices": {
   "path": {},
   "responses": {
    "200": {
     "page": {
      "summary": "The first two",
      "value": {
       "success": true,
       "data": [
        {
         "service_number": 900020,
         "service_status": "pending",
         "label": "Sandbox service 900020",
         "external_reference": null,
         "client": {
          "name": "Sam Sandbox",
          "email": "client-900020@example.com"
         },
         "plan": {
          "id": "pln_test_starter",
          "slug": "starter",
          "display_name": "Starter",
          "upgrade_rank": 10,
          "billing_type": "monthly"
         },
         "specifications": {
          "vcpu": 1,
          "memory_mb": 1024,
          "disk_gb": 20,
          "transfer_gb": null
         },
         "price": {
          "amount": "5.00",
          "currency": "EUR"
         },
         "created_date": "2026-01-01T00:20:00.000Z",
         "updated_date": "2026-03-01T00:00:00.000Z",
         "renewal_date": "2026-04-01T00:00:00.000Z",
         "cancelled_date": null,
         "cancellation": null,
         "open_request": null,
         "mode": "test",
         "simulated": true
        },
        {
         "service_number": 900018,
         "service_status": "active",
         "label": "Sandbox service 900018",
         "external_reference": null,
         "client": {
          "name": "Sam Sandbox",
          "email": "client-900018@example.com"
         },
         "plan": {
          "id": "pln_test_business",
          "slug": "business",
          "display_name": "Business",
          "upgrade_rank": 20,
          "billing_type": "monthly"
         },
         "specifications": {
          "vcpu": 2,
          "memory_mb": 4096,
          "disk_gb": 20,
          "transfer_gb": null
         },
         "price": {
          "amount": "15.00",
          "currency": "EUR"
         },
         "created_date": "2026-01-01T00:18:00.000Z",
         "updated_date": "2026-03-02T09:30:00.000Z",
         "renewal_date": "2026-03-02T09:30:20.000Z",
         "cancelled_date": null,
         "cancellation": null,
         "open_request": null,
         "mode": "test",
         "simulated": true
        }
       ],
       "pagination": {
        "page": 1,
        "perPage": 2,
        "total": 19,
        "totalPages": 10
       }
      }
     },
     "changed": {
      "summary": "What changed, oldest change first",
      "value": {
       "success": true,
       "data": [
        {
         "service_number": 900004,
         "service_status": "cancelled",
         "label": "Sandbox service 900004",
         "external_reference": null,
         "client": {
          "name": "Sam Sandbox",
          "email": "client-900004@example.com"
         },
         "plan": {
          "id": "pln_test_starter",
          "slug": "starter",
          "display_name": "Starter",
          "upgrade_rank": 10,
          "billing_type": "monthly"
         },
         "specifications": {
          "vcpu": 1,
          "memory_mb": 1024,
          "disk_gb": 20,
          "transfer_gb": null
         },
         "price": {
          "amount": "5.00",
          "currency": "EUR"
         },
         "created_date": "2026-01-01T00:04:00.000Z",
         "updated_date": "2026-01-01T00:04:00.000Z",
         "renewal_date": "2026-02-01T00:00:00.000Z",
         "cancelled_date": "2026-01-12T00:00:00.000Z",
         "cancellation": {
          "cancellation_type": "immediate",
          "effective_date": "2026-01-11T00:00:00.000Z",
          "request_id": "req_test_sample_completed"
         },
         "open_request": null,
         "mode": "test",
         "simulated": true
        }
       ],
       "pagination": {
        "page": 1,
        "perPage": 1,
        "total": 19,
        "totalPages": 19
       }
      }
     },
     "none": {
      "summary": "Nothing fits",
      "value": {
       "success": true,
       "data": [],
       "pagination": {
        "page": 1,
        "perPage": 25,
        "total": 0,
        "totalPages": 0
       }
      }
     }
    },
    "400": {
     "invalid_parameter": {
      "summary": "A page that is too large",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_parameter",
        "message": "Invalid: query.limit",
        "details": {
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "fields": [
          {
           "path": "query.limit",
           "rule": "range",
           "message": "must be between 1 and 100"
          }
         ]
        }
       }
      }
     },
     "invalid_request_malformed_request": "invalid_request.malformed_request",
     "invalid_request_https_required": "invalid_request.https_required"
    },
    "401": {
     "authentication_failed_missing": "authentication_failed.missing",
     "authentication_failed_malformed": "authentication_failed.malformed",
     "authentication_failed_invalid": "authentication_failed.invalid",
     "authentication_failed_inactive": "authentication_failed.inactive",
     "authentication_failed_expired": "authentication_failed.expired"
    },
    "403": {
     "missing_scope": {
      "summary": "Missing required scope",
      "value": {
       "success": false,
       "error": {
        "code": "insufficient_permissions",
        "message": "Missing required scope",
        "details": {
         "reason": "missing_scope",
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "required_scopes": [
          "services:read",
          "admin:full"
         ],
         "granted_scopes": []
        }
       }
      }
     },
     "insufficient_permissions_ip_not_whitelisted": "insufficient_permissions.ip_not_whitelisted"
    },
    "429": {
     "rate_limit_exceeded": "rate_limit_exceeded",
     "rate_limit_exceeded_authentication": "rate_limit_exceeded.authentication"
    },
    "500": {
     "server_error": "server_error",
     "server_error_busy": "server_error.busy"
    }
   }
  },
  "createService": {
   "path": {},
   "body": {
    "plan": "starter",
    "client": {
     "name": "Ada Example",
     "email": "ada@example.com"
    },
    "label": "Shop",
    "external_reference": "CRM-4711"
   },
   "responses": {
    "201": {
     "accepted": {
      "summary": "Queued; the service is pending until the work is done",
      "value": {
       "success": true,
       "data": {
        "request_id": "req_test_n-900020-starter-mm8z9ww0-G7V80E-0feed62b67c7f9f690c7c428",
        "type": "service-creation",
        "request_status": "accepted",
        "operator_review": false,
        "service_number": 900020,
        "origin": "broker",
        "submitted_date": "2026-03-02T09:30:00.000Z",
        "updated_date": "2026-03-02T09:30:00.000Z",
        "processed_date": null,
        "decision": null,
        "failure": null,
        "is_final": false,
        "next_check_seconds": 10,
        "service_status": "pending",
        "new_plan": {
         "id": "pln_test_starter",
         "slug": "starter",
         "display_name": "Starter",
         "upgrade_rank": 10,
         "billing_type": "monthly"
        },
        "mode": "test",
        "simulated": true
       }
      }
     }
    },
    "400": {
     "missing_parameter": {
      "summary": "A required field is missing",
      "value": {
       "success": false,
       "error": {
        "code": "missing_parameter",
        "message": "Missing or invalid: body.plan, body.client",
        "details": {
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "fields": [
          {
           "path": "body.plan",
           "rule": "required",
           "message": "is required"
          },
          {
           "path": "body.client",
           "rule": "required",
           "message": "is required"
          }
         ]
        }
       }
      }
     },
     "invalid_parameter": {
      "summary": "No email address",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_parameter",
        "message": "Invalid: body.client.email",
        "details": {
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "fields": [
          {
           "path": "body.client.email",
           "rule": "format",
           "message": "must be one email address"
          }
         ]
        }
       }
      }
     },
     "plan_not_available": {
      "summary": "No active plan has this id, slug or display name; GET /v1/plans lists the available ones",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_parameter",
        "message": "No active plan has this id, slug or display name; GET /v1/plans lists the available ones",
        "details": {
         "reason": "plan_not_available",
         "correlation_id": "Yk3vQ0c1TzAB-1k"
        }
       }
      }
     },
     "invalid_request_malformed_json": "invalid_request.malformed_json",
     "invalid_request_not_an_object": "invalid_request.not_an_object",
     "invalid_request_content_type": "invalid_request.content_type",
     "invalid_request_body_too_large": "invalid_request.body_too_large",
     "invalid_request_malformed_request": "invalid_request.malformed_request",
     "invalid_request_https_required": "invalid_request.https_required"
    },
    "401": {
     "authentication_failed_missing": "authentication_failed.missing",
     "authentication_failed_malformed": "authentication_failed.malformed",
     "authentication_failed_invalid": "authentication_failed.invalid",
     "authentication_failed_inactive": "authentication_failed.inactive",
     "authentication_failed_expired": "authentication_failed.expired"
    },
    "403": {
     "missing_scope": {
      "summary": "Missing required scope",
      "value": {
       "success": false,
       "error": {
        "code": "insufficient_permissions",
        "message": "Missing required scope",
        "details": {
         "reason": "missing_scope",
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "required_scopes": [
          "services:write",
          "admin:full"
         ],
         "granted_scopes": []
        }
       }
      }
     },
     "insufficient_permissions_ip_not_whitelisted": "insufficient_permissions.ip_not_whitelisted"
    },
    "429": {
     "rate_limit_exceeded": "rate_limit_exceeded",
     "rate_limit_exceeded_authentication": "rate_limit_exceeded.authentication"
    },
    "500": {
     "server_error": "server_error",
     "server_error_busy": "server_error.busy"
    }
   }
  },
  "getService": {
   "path": {
    "service_number": 900001
   },
   "responses": {
    "200": {
     "active": {
      "summary": "An active service",
      "value": {
       "success": true,
       "data": {
        "service_number": 900001,
        "service_status": "active",
        "label": "Sandbox service 900001",
        "external_reference": null,
        "client": {
         "name": "Sam Sandbox",
         "email": "client-900001@example.com"
        },
        "plan": {
         "id": "pln_test_starter",
         "slug": "starter",
         "display_name": "Starter",
         "upgrade_rank": 10,
         "billing_type": "monthly"
        },
        "specifications": {
         "vcpu": 1,
         "memory_mb": 1024,
         "disk_gb": 20,
         "transfer_gb": null
        },
        "price": {
         "amount": "5.00",
         "currency": "EUR"
        },
        "created_date": "2026-01-01T00:01:00.000Z",
        "updated_date": "2026-03-01T00:00:00.000Z",
        "renewal_date": "2026-04-01T00:00:00.000Z",
        "cancelled_date": null,
        "cancellation": null,
        "open_request": null,
        "mode": "test",
        "simulated": true
       }
      }
     },
     "leaving": {
      "summary": "A cancellation is scheduled",
      "value": {
       "success": true,
       "data": {
        "service_number": 900015,
        "service_status": "active",
        "label": "Sandbox service 900015",
        "external_reference": null,
        "client": {
         "name": "Sam Sandbox",
         "email": "client-900015@example.com"
        },
        "plan": {
         "id": "pln_test_starter",
         "slug": "starter",
         "display_name": "Starter",
         "upgrade_rank": 10,
         "billing_type": "monthly"
        },
        "specifications": {
         "vcpu": 1,
         "memory_mb": 1024,
         "disk_gb": 20,
         "transfer_gb": null
        },
        "price": {
         "amount": "5.00",
         "currency": "EUR"
        },
        "created_date": "2026-01-01T00:15:00.000Z",
        "updated_date": "2026-03-01T00:00:00.000Z",
        "renewal_date": "2026-04-01T00:00:00.000Z",
        "cancelled_date": null,
        "cancellation": {
         "cancellation_type": "end_of_term",
         "effective_date": "2099-12-31T00:00:00.000Z",
         "request_id": "req_test_sample_accepted"
        },
        "open_request": {
         "request_id": "req_test_sample_accepted",
         "type": "cancellation",
         "request_status": "accepted"
        },
        "mode": "test",
        "simulated": true
       }
      }
     }
    },
    "400": {
     "invalid_parameter": {
      "summary": "A service number that is none",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_parameter",
        "message": "Invalid service number",
        "details": {
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "fields": [
          {
           "path": "path.service_number",
           "rule": "format",
           "message": "must be a 64-bit integer in base 10"
          }
         ]
        }
       }
      }
     },
     "invalid_request_malformed_request": "invalid_request.malformed_request",
     "invalid_request_https_required": "invalid_request.https_required"
    },
    "401": {
     "authentication_failed_missing": "authentication_failed.missing",
     "authentication_failed_malformed": "authentication_failed.malformed",
     "authentication_failed_invalid": "authentication_failed.invalid",
     "authentication_failed_inactive": "authentication_failed.inactive",
     "authentication_failed_expired": "authentication_failed.expired"
    },
    "403": {
     "missing_scope": {
      "summary": "Missing required scope",
      "value": {
       "success": false,
       "error": {
        "code": "insufficient_permissions",
        "message": "Missing required scope",
        "details": {
         "reason": "missing_scope",
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "required_scopes": [
          "services:read",
          "admin:full"
         ],
         "granted_scopes": []
        }
       }
      }
     },
     "insufficient_permissions_ip_not_whitelisted": "insufficient_permissions.ip_not_whitelisted"
    },
    "404": {
     "not_found": {
      "summary": "Service not found or access denied",
      "value": {
       "success": false,
       "error": {
        "code": "not_found",
        "message": "Service not found or access denied"
       }
      }
     }
    },
    "429": {
     "rate_limit_exceeded": "rate_limit_exceeded",
     "rate_limit_exceeded_authentication": "rate_limit_exceeded.authentication"
    },
    "500": {
     "server_error": "server_error",
     "server_error_busy": "server_error.busy"
    }
   }
  },
  "updateService": {
   "path": {
    "service_number": 900001
   },
   "body": {
    "external_reference": "CRM-4711",
    "client": {
     "email": "ada@example.com"
    }
   },
   "responses": {
    "200": {
     "updated": {
      "summary": "The service as it would stand",
      "value": {
       "success": true,
       "data": {
        "service_number": 900001,
        "service_status": "active",
        "label": "Sandbox service 900001",
        "external_reference": "CRM-4711",
        "client": {
         "name": "Sam Sandbox",
         "email": "ada@example.com"
        },
        "plan": {
         "id": "pln_test_starter",
         "slug": "starter",
         "display_name": "Starter",
         "upgrade_rank": 10,
         "billing_type": "monthly"
        },
        "specifications": {
         "vcpu": 1,
         "memory_mb": 1024,
         "disk_gb": 20,
         "transfer_gb": null
        },
        "price": {
         "amount": "5.00",
         "currency": "EUR"
        },
        "created_date": "2026-01-01T00:01:00.000Z",
        "updated_date": "2026-03-02T09:30:00.000Z",
        "renewal_date": "2026-04-01T00:00:00.000Z",
        "cancelled_date": null,
        "cancellation": null,
        "open_request": null,
        "mode": "test",
        "simulated": true
       }
      }
     }
    },
    "400": {
     "missing_parameter": {
      "summary": "A required field is missing",
      "value": {
       "success": false,
       "error": {
        "code": "missing_parameter",
        "message": "Missing or invalid: body",
        "details": {
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "fields": [
          {
           "path": "body",
           "rule": "required",
           "message": "needs at least one of label, external_reference, client"
          }
         ]
        }
       }
      }
     },
     "invalid_parameter": {
      "summary": "A blank label",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_parameter",
        "message": "Invalid: body.label",
        "details": {
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "fields": [
          {
           "path": "body.label",
           "rule": "blank",
           "message": "must not be blank"
          }
         ]
        }
       }
      }
     },
     "service_cancelled": {
      "summary": "The service is cancelled; it can no longer be changed",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_state",
        "message": "The service is cancelled; it can no longer be changed",
        "details": {
         "reason": "service_cancelled",
         "correlation_id": "Yk3vQ0c1TzAB-1k"
        }
       }
      }
     },
     "service_terminated": {
      "summary": "The service is terminated; it can no longer be changed",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_state",
        "message": "The service is terminated; it can no longer be changed",
        "details": {
         "reason": "service_terminated",
         "correlation_id": "Yk3vQ0c1TzAB-1k"
        }
       }
      }
     },
     "invalid_request_malformed_json": "invalid_request.malformed_json",
     "invalid_request_not_an_object": "invalid_request.not_an_object",
     "invalid_request_content_type": "invalid_request.content_type",
     "invalid_request_body_too_large": "invalid_request.body_too_large",
     "invalid_request_malformed_request": "invalid_request.malformed_request",
     "invalid_request_https_required": "invalid_request.https_required"
    },
    "401": {
     "authentication_failed_missing": "authentication_failed.missing",
     "authentication_failed_malformed": "authentication_failed.malformed",
     "authentication_failed_invalid": "authentication_failed.invalid",
     "authentication_failed_inactive": "authentication_failed.inactive",
     "authentication_failed_expired": "authentication_failed.expired"
    },
    "403": {
     "missing_scope": {
      "summary": "Missing required scope",
      "value": {
       "success": false,
       "error": {
        "code": "insufficient_permissions",
        "message": "Missing required scope",
        "details": {
         "reason": "missing_scope",
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "required_scopes": [
          "services:write",
          "admin:full"
         ],
         "granted_scopes": []
        }
       }
      }
     },
     "insufficient_permissions_ip_not_whitelisted": "insufficient_permissions.ip_not_whitelisted"
    },
    "404": {
     "not_found": {
      "summary": "Service not found or access denied",
      "value": {
       "success": false,
       "error": {
        "code": "not_found",
        "message": "Service not found or access denied"
       }
      }
     }
    },
    "409": {
     "idempotency_key_reused": {
      "summary": "The idempotency key was used for a different request",
      "value": {
       "success": false,
       "error": {
        "code": "already_processed",
        "message": "The idempotency key was used for a different request",
        "details": {
         "reason": "idempotency_key_reused",
         "correlation_id": "Yk3vQ0c1TzAB-1k"
        }
       }
      }
     }
    },
    "429": {
     "rate_limit_exceeded": "rate_limit_exceeded",
     "rate_limit_exceeded_authentication": "rate_limit_exceeded.authentication"
    },
    "500": {
     "server_error": "server_error",
     "server_error_busy": "server_error.busy"
    }
   }
  },
  "listUpgradeOptions": {
   "path": {
    "service_number": 900001
   },
   "responses": {
    "200": {
     "options": {
      "summary": "Two plans are in reach",
      "value": {
       "success": true,
       "data": {
        "current_plan": {
         "id": "pln_test_starter",
         "slug": "starter",
         "display_name": "Starter",
         "upgrade_rank": 10,
         "billing_type": "monthly"
        },
        "available": [
         {
          "id": "pln_test_business",
          "slug": "business",
          "display_name": "Business",
          "upgrade_rank": 20,
          "billing_type": "monthly",
          "operator_review": false
         },
         {
          "id": "pln_test_enterprise",
          "slug": "enterprise",
          "display_name": "Enterprise",
          "upgrade_rank": 30,
          "billing_type": "monthly",
          "operator_review": false
         }
        ],
        "unavailable": [
         {
          "plan": {
           "id": "pln_test_starter",
           "slug": "starter",
           "display_name": "Starter",
           "upgrade_rank": 10,
           "billing_type": "monthly"
          },
          "reason": "plan_is_current"
         },
         {
          "plan": {
           "id": "pln_test_flex-hourly",
           "slug": "flex-hourly",
           "display_name": "Flex Hourly",
           "upgrade_rank": 40,
           "billing_type": "hourly"
          },
          "reason": "billing_type_mismatch"
         }
        ],
        "mode": "test",
        "simulated": true
       }
      }
     }
    },
    "400": {
     "invalid_parameter": {
      "summary": "A service number that is none",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_parameter",
        "message": "Invalid service number",
        "details": {
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "fields": [
          {
           "path": "path.service_number",
           "rule": "format",
           "message": "must be a 64-bit integer in base 10"
          }
         ]
        }
       }
      }
     },
     "invalid_request_malformed_request": "invalid_request.malformed_request",
     "invalid_request_https_required": "invalid_request.https_required"
    },
    "401": {
     "authentication_failed_missing": "authentication_failed.missing",
     "authentication_failed_malformed": "authentication_failed.malformed",
     "authentication_failed_invalid": "authentication_failed.invalid",
     "authentication_failed_inactive": "authentication_failed.inactive",
     "authentication_failed_expired": "authentication_failed.expired"
    },
    "403": {
     "missing_scope": {
      "summary": "Missing required scope",
      "value": {
       "success": false,
       "error": {
        "code": "insufficient_permissions",
        "message": "Missing required scope",
        "details": {
         "reason": "missing_scope",
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "required_scopes": [
          "services:read",
          "admin:full"
         ],
         "granted_scopes": []
        }
       }
      }
     },
     "insufficient_permissions_ip_not_whitelisted": "insufficient_permissions.ip_not_whitelisted"
    },
    "404": {
     "not_found": {
      "summary": "Service not found or access denied",
      "value": {
       "success": false,
       "error": {
        "code": "not_found",
        "message": "Service not found or access denied"
       }
      }
     }
    },
    "429": {
     "rate_limit_exceeded": "rate_limit_exceeded",
     "rate_limit_exceeded_authentication": "rate_limit_exceeded.authentication"
    },
    "500": {
     "server_error": "server_error",
     "server_error_busy": "server_error.busy"
    }
   }
  },
  "upgradeService": {
   "path": {
    "service_number": 900001
   },
   "body": {
    "new_plan": "business"
   },
   "responses": {
    "200": {
     "accepted": {
      "summary": "Accepted and queued",
      "value": {
       "success": true,
       "data": {
        "request_id": "req_test_u-900001-business-mm8z9ww0-PPTDS5-f9ec12cda145e2359490cffe",
        "type": "plan-upgrade",
        "request_status": "accepted",
        "operator_review": false,
        "service_number": 900001,
        "service_status": "active",
        "current_plan": {
         "id": "pln_test_starter",
         "slug": "starter",
         "display_name": "Starter",
         "upgrade_rank": 10,
         "billing_type": "monthly"
        },
        "new_plan": {
         "id": "pln_test_business",
         "slug": "business",
         "display_name": "Business",
         "upgrade_rank": 20,
         "billing_type": "monthly"
        },
        "effective_date": "2026-03-02T09:30:00.000Z",
        "submitted_date": "2026-03-02T09:30:00.000Z",
        "processed_date": null,
        "is_final": false,
        "next_check_seconds": 10,
        "mode": "test",
        "simulated": true
       }
      }
     }
    },
    "202": {
     "operator_review": {
      "summary": "Under review by the operator",
      "value": {
       "success": true,
       "data": {
        "request_id": "req_test_u-900002-business-mm8z9ww0-Y5W5YE-fd11ea68576365020290a7dc",
        "type": "plan-upgrade",
        "request_status": "operator_review",
        "operator_review": true,
        "service_number": 900002,
        "service_status": "active",
        "current_plan": {
         "id": "pln_test_starter",
         "slug": "starter",
         "display_name": "Starter",
         "upgrade_rank": 10,
         "billing_type": "monthly"
        },
        "new_plan": {
         "id": "pln_test_business",
         "slug": "business",
         "display_name": "Business",
         "upgrade_rank": 20,
         "billing_type": "monthly"
        },
        "effective_date": null,
        "submitted_date": "2026-03-02T09:30:00.000Z",
        "processed_date": null,
        "is_final": false,
        "next_check_seconds": 20,
        "mode": "test",
        "simulated": true
       },
       "message": "The service operator reviews this plan change before it goes ahead. Do not submit it again; follow the request instead."
      }
     }
    },
    "400": {
     "missing_parameter": {
      "summary": "A required field is missing",
      "value": {
       "success": false,
       "error": {
        "code": "missing_parameter",
        "message": "Missing or invalid: body.new_plan",
        "details": {
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "fields": [
          {
           "path": "body.new_plan",
           "rule": "required",
           "message": "is required"
          }
         ]
        }
       }
      }
     },
     "invalid_parameter": {
      "summary": "A blank plan",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_parameter",
        "message": "Invalid: body.new_plan",
        "details": {
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "fields": [
          {
           "path": "body.new_plan",
           "rule": "blank",
           "message": "must not be blank"
          }
         ]
        }
       }
      }
     },
     "plan_not_available": {
      "summary": "No active plan has this id, slug or display name; GET /v1/plans lists the available ones",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_parameter",
        "message": "No active plan has this id, slug or display name; GET /v1/plans lists the available ones",
        "details": {
         "reason": "plan_not_available",
         "correlation_id": "Yk3vQ0c1TzAB-1k"
        }
       }
      }
     },
     "plan_is_current": {
      "summary": "The service is on the plan \"starter\" already",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_parameter",
        "message": "The service is on the plan \"starter\" already",
        "details": {
         "reason": "plan_is_current",
         "correlation_id": "Yk3vQ0c1TzAB-1k"
        }
       }
      }
     },
     "service_not_active": {
      "summary": "The service is suspended; only an active service can change its plan",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_state",
        "message": "The service is suspended; only an active service can change its plan",
        "details": {
         "reason": "service_not_active",
         "correlation_id": "Yk3vQ0c1TzAB-1k"
        }
       }
      }
     },
     "cancellation_scheduled": {
      "summary": "The service is going to be cancelled, so its plan can no longer change",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_state",
        "message": "The service is going to be cancelled, so its plan can no longer change",
        "details": {
         "reason": "cancellation_scheduled",
         "correlation_id": "Yk3vQ0c1TzAB-1k"
        }
       }
      }
     },
     "plan_change_in_progress": {
      "summary": "Another plan change of this service is still open; wait until it is final",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_state",
        "message": "Another plan change of this service is still open; wait until it is final",
        "details": {
         "reason": "plan_change_in_progress",
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "request_id": "req_test_sample_pending"
        }
       }
      }
     },
     "billing_type_mismatch": {
      "summary": "A service billed monthly cannot move to a plan billed hourly; cancel it and create a new one",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_state",
        "message": "A service billed monthly cannot move to a plan billed hourly; cancel it and create a new one",
        "details": {
         "reason": "billing_type_mismatch",
         "correlation_id": "Yk3vQ0c1TzAB-1k"
        }
       }
      }
     },
     "plan_rank_not_higher": {
      "summary": "The plan \"business\" is not ranked above the current plan \"enterprise\"",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_parameter",
        "message": "The plan \"business\" is not ranked above the current plan \"enterprise\"",
        "details": {
         "reason": "plan_rank_not_higher",
         "correlation_id": "Yk3vQ0c1TzAB-1k"
        }
       }
      }
     },
     "invalid_request_malformed_json": "invalid_request.malformed_json",
     "invalid_request_not_an_object": "invalid_request.not_an_object",
     "invalid_request_content_type": "invalid_request.content_type",
     "invalid_request_body_too_large": "invalid_request.body_too_large",
     "invalid_request_malformed_request": "invalid_request.malformed_request",
     "invalid_request_https_required": "invalid_request.https_required"
    },
    "401": {
     "authentication_failed_missing": "authentication_failed.missing",
     "authentication_failed_malformed": "authentication_failed.malformed",
     "authentication_failed_invalid": "authentication_failed.invalid",
     "authentication_failed_inactive": "authentication_failed.inactive",
     "authentication_failed_expired": "authentication_failed.expired"
    },
    "403": {
     "missing_scope": {
      "summary": "Missing required scope",
      "value": {
       "success": false,
       "error": {
        "code": "insufficient_permissions",
        "message": "Missing required scope",
        "details": {
         "reason": "missing_scope",
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "required_scopes": [
          "admin:full"
         ],
         "granted_scopes": []
        }
       }
      }
     },
     "insufficient_permissions_ip_not_whitelisted": "insufficient_permissions.ip_not_whitelisted"
    },
    "404": {
     "not_found": {
      "summary": "Service not found or access denied",
      "value": {
       "success": false,
       "error": {
        "code": "not_found",
        "message": "Service not found or access denied"
       }
      }
     }
    },
    "409": {
     "idempotency_key_reused": {
      "summary": "The idempotency key was used for a different request",
      "value": {
       "success": false,
       "error": {
        "code": "already_processed",
        "message": "The idempotency key was used for a different request",
        "details": {
         "reason": "idempotency_key_reused",
         "correlation_id": "Yk3vQ0c1TzAB-1k"
        }
       }
      }
     }
    },
    "429": {
     "rate_limit_exceeded": "rate_limit_exceeded",
     "rate_limit_exceeded_authentication": "rate_limit_exceeded.authentication"
    },
    "500": {
     "server_error": "server_error",
     "server_error_busy": "server_error.busy"
    }
   }
  },
  "downgradeService": {
   "path": {
    "service_number": 900013
   },
   "body": {
    "new_plan": "business"
   },
   "responses": {
    "200": {
     "accepted": {
      "summary": "Accepted; it takes effect when the term ends",
      "value": {
       "success": true,
       "data": {
        "request_id": "req_test_d-900013-business-mm8z9ww0-XM63VR-b9d7d185960a4e57b4acf733",
        "type": "plan-downgrade",
        "request_status": "accepted",
        "operator_review": false,
        "service_number": 900013,
        "service_status": "active",
        "current_plan": {
         "id": "pln_test_enterprise",
         "slug": "enterprise",
         "display_name": "Enterprise",
         "upgrade_rank": 30,
         "billing_type": "monthly"
        },
        "new_plan": {
         "id": "pln_test_business",
         "slug": "business",
         "display_name": "Business",
         "upgrade_rank": 20,
         "billing_type": "monthly"
        },
        "effective_date": "2026-03-02T09:30:20.000Z",
        "submitted_date": "2026-03-02T09:30:00.000Z",
        "processed_date": null,
        "is_final": false,
        "next_check_seconds": 20,
        "mode": "test",
        "simulated": true
       }
      }
     }
    },
    "202": {
     "operator_review": {
      "summary": "Under review by the operator",
      "value": {
       "success": true,
       "data": {
        "request_id": "req_test_d-900018-starter-mm8z9ww0-AGSXT3-2499d997e25c780120bad109",
        "type": "plan-downgrade",
        "request_status": "operator_review",
        "operator_review": true,
        "service_number": 900018,
        "service_status": "active",
        "current_plan": {
         "id": "pln_test_business",
         "slug": "business",
         "display_name": "Business",
         "upgrade_rank": 20,
         "billing_type": "monthly"
        },
        "new_plan": {
         "id": "pln_test_starter",
         "slug": "starter",
         "display_name": "Starter",
         "upgrade_rank": 10,
         "billing_type": "monthly"
        },
        "effective_date": null,
        "submitted_date": "2026-03-02T09:30:00.000Z",
        "processed_date": null,
        "is_final": false,
        "next_check_seconds": 20,
        "mode": "test",
        "simulated": true
       },
       "message": "The service operator reviews this plan change before it goes ahead. Do not submit it again; follow the request instead."
      }
     }
    },
    "400": {
     "missing_parameter": {
      "summary": "A required field is missing",
      "value": {
       "success": false,
       "error": {
        "code": "missing_parameter",
        "message": "Missing or invalid: body.new_plan",
        "details": {
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "fields": [
          {
           "path": "body.new_plan",
           "rule": "required",
           "message": "is required"
          }
         ]
        }
       }
      }
     },
     "invalid_parameter": {
      "summary": "A blank plan",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_parameter",
        "message": "Invalid: body.new_plan",
        "details": {
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "fields": [
          {
           "path": "body.new_plan",
           "rule": "blank",
           "message": "must not be blank"
          }
         ]
        }
       }
      }
     },
     "plan_not_available": {
      "summary": "No active plan has this id, slug or display name; GET /v1/plans lists the available ones",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_parameter",
        "message": "No active plan has this id, slug or display name; GET /v1/plans lists the available ones",
        "details": {
         "reason": "plan_not_available",
         "correlation_id": "Yk3vQ0c1TzAB-1k"
        }
       }
      }
     },
     "plan_is_current": {
      "summary": "The service is on the plan \"enterprise\" already",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_parameter",
        "message": "The service is on the plan \"enterprise\" already",
        "details": {
         "reason": "plan_is_current",
         "correlation_id": "Yk3vQ0c1TzAB-1k"
        }
       }
      }
     },
     "service_not_active": {
      "summary": "The service is suspended; only an active service can change its plan",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_state",
        "message": "The service is suspended; only an active service can change its plan",
        "details": {
         "reason": "service_not_active",
         "correlation_id": "Yk3vQ0c1TzAB-1k"
        }
       }
      }
     },
     "cancellation_scheduled": {
      "summary": "The service is going to be cancelled, so its plan can no longer change",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_state",
        "message": "The service is going to be cancelled, so its plan can no longer change",
        "details": {
         "reason": "cancellation_scheduled",
         "correlation_id": "Yk3vQ0c1TzAB-1k"
        }
       }
      }
     },
     "plan_change_in_progress": {
      "summary": "Another plan change of this service is still open; wait until it is final",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_state",
        "message": "Another plan change of this service is still open; wait until it is final",
        "details": {
         "reason": "plan_change_in_progress",
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "request_id": "req_test_sample_pending"
        }
       }
      }
     },
     "billing_type_mismatch": {
      "summary": "A service billed monthly cannot move to a plan billed hourly; cancel it and create a new one",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_state",
        "message": "A service billed monthly cannot move to a plan billed hourly; cancel it and create a new one",
        "details": {
         "reason": "billing_type_mismatch",
         "correlation_id": "Yk3vQ0c1TzAB-1k"
        }
       }
      }
     },
     "plan_rank_not_lower": {
      "summary": "The plan \"business\" is not ranked below the current plan \"starter\"",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_parameter",
        "message": "The plan \"business\" is not ranked below the current plan \"starter\"",
        "details": {
         "reason": "plan_rank_not_lower",
         "correlation_id": "Yk3vQ0c1TzAB-1k"
        }
       }
      }
     },
     "invalid_request_malformed_json": "invalid_request.malformed_json",
     "invalid_request_not_an_object": "invalid_request.not_an_object",
     "invalid_request_content_type": "invalid_request.content_type",
     "invalid_request_body_too_large": "invalid_request.body_too_large",
     "invalid_request_malformed_request": "invalid_request.malformed_request",
     "invalid_request_https_required": "invalid_request.https_required"
    },
    "401": {
     "authentication_failed_missing": "authentication_failed.missing",
     "authentication_failed_malformed": "authentication_failed.malformed",
     "authentication_failed_invalid": "authentication_failed.invalid",
     "authentication_failed_inactive": "authentication_failed.inactive",
     "authentication_failed_expired": "authentication_failed.expired"
    },
    "403": {
     "missing_scope": {
      "summary": "Missing required scope",
      "value": {
       "success": false,
       "error": {
        "code": "insufficient_permissions",
        "message": "Missing required scope",
        "details": {
         "reason": "missing_scope",
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "required_scopes": [
          "admin:full"
         ],
         "granted_scopes": []
        }
       }
      }
     },
     "insufficient_permissions_ip_not_whitelisted": "insufficient_permissions.ip_not_whitelisted"
    },
    "404": {
     "not_found": {
      "summary": "Service not found or access denied",
      "value": {
       "success": false,
       "error": {
        "code": "not_found",
        "message": "Service not found or access denied"
       }
      }
     }
    },
    "409": {
     "idempotency_key_reused": {
      "summary": "The idempotency key was used for a different request",
      "value": {
       "success": false,
       "error": {
        "code": "already_processed",
        "message": "The idempotency key was used for a different request",
        "details": {
         "reason": "idempotency_key_reused",
         "correlation_id": "Yk3vQ0c1TzAB-1k"
        }
       }
      }
     }
    },
    "429": {
     "rate_limit_exceeded": "rate_limit_exceeded",
     "rate_limit_exceeded_authentication": "rate_limit_exceeded.authentication"
    },
    "500": {
     "server_error": "server_error",
     "server_error_busy": "server_error.busy"
    }
   }
  },
  "cancelService": {
   "path": {
    "service_number": 900001
   },
   "body": {
    "cancellation_type": "end_of_term",
    "reason": "The client moves in house."
   },
   "responses": {
    "200": {
     "end_of_term": {
      "summary": "At the end of the term",
      "value": {
       "success": true,
       "data": {
        "request_id": "req_test_c-900001-end_of_term-mm8z9ww0-4V1QF4-e43fa6c364c667b207296c1f",
        "type": "cancellation",
        "request_status": "accepted",
        "operator_review": false,
        "service_number": 900001,
        "origin": "broker",
        "submitted_date": "2026-03-02T09:30:00.000Z",
        "updated_date": "2026-03-02T09:30:00.000Z",
        "processed_date": null,
        "decision": null,
        "failure": null,
        "is_final": false,
        "next_check_seconds": 3600,
        "effective_date": "2026-04-01T00:00:00.000Z",
        "cancellation_type": "end_of_term",
        "reason": "The client moves in house.",
        "mode": "test",
        "simulated": true
       }
      }
     },
     "immediate": {
      "summary": "At once",
      "value": {
       "success": true,
       "data": {
        "request_id": "req_test_c-900001-immediate-mm8z9ww0-PKXP03-79597d272e985ecbb831aa7f",
        "type": "cancellation",
        "request_status": "accepted",
        "operator_review": false,
        "service_number": 900001,
        "origin": "broker",
        "submitted_date": "2026-03-02T09:30:00.000Z",
        "updated_date": "2026-03-02T09:30:00.000Z",
        "processed_date": null,
        "decision": null,
        "failure": null,
        "is_final": false,
        "next_check_seconds": 10,
        "effective_date": "2026-03-02T09:30:00.000Z",
        "cancellation_type": "immediate",
        "reason": null,
        "mode": "test",
        "simulated": true
       }
      }
     }
    },
    "400": {
     "invalid_parameter": {
      "summary": "An unknown word",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_parameter",
        "message": "Invalid: body.cancellation_type",
        "details": {
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "fields": [
          {
           "path": "body.cancellation_type",
           "rule": "enum",
           "message": "must be one of end_of_term, immediate"
          }
         ]
        }
       }
      }
     },
     "service_cancelled": {
      "summary": "The service is cancelled; it cannot be cancelled any more",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_state",
        "message": "The service is cancelled; it cannot be cancelled any more",
        "details": {
         "reason": "service_cancelled",
         "correlation_id": "Yk3vQ0c1TzAB-1k"
        }
       }
      }
     },
     "service_terminated": {
      "summary": "The service is terminated; it cannot be cancelled any more",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_state",
        "message": "The service is terminated; it cannot be cancelled any more",
        "details": {
         "reason": "service_terminated",
         "correlation_id": "Yk3vQ0c1TzAB-1k"
        }
       }
      }
     },
     "cancellation_scheduled": {
      "summary": "A cancellation of this service is open already",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_state",
        "message": "A cancellation of this service is open already",
        "details": {
         "reason": "cancellation_scheduled",
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "request_id": "req_test_sample_accepted"
        }
       }
      }
     },
     "end_of_term_not_available": {
      "summary": "A service billed hourly has no term to wait for; send cancellation_type \"immediate\"",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_parameter",
        "message": "A service billed hourly has no term to wait for; send cancellation_type \"immediate\"",
        "details": {
         "reason": "end_of_term_not_available",
         "correlation_id": "Yk3vQ0c1TzAB-1k"
        }
       }
      }
     },
     "invalid_request_malformed_json": "invalid_request.malformed_json",
     "invalid_request_not_an_object": "invalid_request.not_an_object",
     "invalid_request_content_type": "invalid_request.content_type",
     "invalid_request_body_too_large": "invalid_request.body_too_large",
     "invalid_request_malformed_request": "invalid_request.malformed_request",
     "invalid_request_https_required": "invalid_request.https_required"
    },
    "401": {
     "authentication_failed_missing": "authentication_failed.missing",
     "authentication_failed_malformed": "authentication_failed.malformed",
     "authentication_failed_invalid": "authentication_failed.invalid",
     "authentication_failed_inactive": "authentication_failed.inactive",
     "authentication_failed_expired": "authentication_failed.expired"
    },
    "403": {
     "missing_scope": {
      "summary": "Missing required scope",
      "value": {
       "success": false,
       "error": {
        "code": "insufficient_permissions",
        "message": "Missing required scope",
        "details": {
         "reason": "missing_scope",
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "required_scopes": [
          "admin:full"
         ],
         "granted_scopes": []
        }
       }
      }
     },
     "insufficient_permissions_ip_not_whitelisted": "insufficient_permissions.ip_not_whitelisted"
    },
    "404": {
     "not_found": {
      "summary": "Service not found or access denied",
      "value": {
       "success": false,
       "error": {
        "code": "not_found",
        "message": "Service not found or access denied"
       }
      }
     }
    },
    "409": {
     "idempotency_key_reused": {
      "summary": "The idempotency key was used for a different request",
      "value": {
       "success": false,
       "error": {
        "code": "already_processed",
        "message": "The idempotency key was used for a different request",
        "details": {
         "reason": "idempotency_key_reused",
         "correlation_id": "Yk3vQ0c1TzAB-1k"
        }
       }
      }
     }
    },
    "429": {
     "rate_limit_exceeded": "rate_limit_exceeded",
     "rate_limit_exceeded_authentication": "rate_limit_exceeded.authentication"
    },
    "500": {
     "server_error": "server_error",
     "server_error_busy": "server_error.busy"
    }
   }
  },
  "warnCancellation": {
   "path": {
    "service_number": 900001
   },
   "body": {
    "warningReason": "Invoice 2026-118 is 30 days overdue."
   },
   "responses": {
    "200": {
     "sent": {
      "summary": "The email was sent",
      "value": {
       "success": true,
       "data": {
        "request_id": "req_test_w-900001--mm8z9ww0-JTQE35-036fe9d73d82a3294f2b4080",
        "type": "cancellation-warning",
        "request_status": "approved",
        "service_number": 900001,
        "warning_reason": "Invoice 2026-118 is 30 days overdue.",
        "submitted_date": "2026-03-02T09:30:00.000Z",
        "processed_date": "2026-03-02T09:30:00.000Z",
        "mode": "test",
        "simulated": true
       }
      }
     },
     "unrecorded": {
      "summary": "It was sent, and its entry in the history could not be saved",
      "value": {
       "success": true,
       "data": {
        "request_id": null,
        "type": "cancellation-warning",
        "request_status": "approved",
        "service_number": 900009,
        "warning_reason": "Invoice 2026-118 is 30 days overdue.",
        "submitted_date": "2026-03-02T09:30:00.000Z",
        "processed_date": "2026-03-02T09:30:00.000Z",
        "mode": "test",
        "simulated": true
       }
      }
     }
    },
    "400": {
     "missing_parameter": {
      "summary": "A required field is missing",
      "value": {
       "success": false,
       "error": {
        "code": "missing_parameter",
        "message": "Missing or invalid: body.warningReason",
        "details": {
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "fields": [
          {
           "path": "body.warningReason",
           "rule": "required",
           "message": "is required"
          }
         ]
        }
       }
      }
     },
     "invalid_parameter": {
      "summary": "A blank reason",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_parameter",
        "message": "Invalid: body.warningReason",
        "details": {
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "fields": [
          {
           "path": "body.warningReason",
           "rule": "blank",
           "message": "must not be blank"
          }
         ]
        }
       }
      }
     },
     "service_cancelled": {
      "summary": "The service is cancelled; there is nothing left to warn about",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_state",
        "message": "The service is cancelled; there is nothing left to warn about",
        "details": {
         "reason": "service_cancelled",
         "correlation_id": "Yk3vQ0c1TzAB-1k"
        }
       }
      }
     },
     "service_terminated": {
      "summary": "The service is terminated; there is nothing left to warn about",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_state",
        "message": "The service is terminated; there is nothing left to warn about",
        "details": {
         "reason": "service_terminated",
         "correlation_id": "Yk3vQ0c1TzAB-1k"
        }
       }
      }
     },
     "missing_customer_email": {
      "summary": "The service has no valid client email address",
      "value": {
       "success": false,
       "error": {
        "code": "missing_customer_email",
        "message": "The service has no valid client email address"
       }
      }
     },
     "template_not_found": {
      "summary": "There is no active cancellation-warning template",
      "value": {
       "success": false,
       "error": {
        "code": "template_not_found",
        "message": "There is no active cancellation-warning template"
       }
      }
     },
     "invalid_request_malformed_json": "invalid_request.malformed_json",
     "invalid_request_not_an_object": "invalid_request.not_an_object",
     "invalid_request_content_type": "invalid_request.content_type",
     "invalid_request_body_too_large": "invalid_request.body_too_large",
     "invalid_request_malformed_request": "invalid_request.malformed_request",
     "invalid_request_https_required": "invalid_request.https_required"
    },
    "401": {
     "authentication_failed_missing": "authentication_failed.missing",
     "authentication_failed_malformed": "authentication_failed.malformed",
     "authentication_failed_invalid": "authentication_failed.invalid",
     "authentication_failed_inactive": "authentication_failed.inactive",
     "authentication_failed_expired": "authentication_failed.expired"
    },
    "403": {
     "missing_scope": {
      "summary": "Missing required scope",
      "value": {
       "success": false,
       "error": {
        "code": "insufficient_permissions",
        "message": "Missing required scope",
        "details": {
         "reason": "missing_scope",
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "required_scopes": [
          "admin:full"
         ],
         "granted_scopes": []
        }
       }
      }
     },
     "insufficient_permissions_ip_not_whitelisted": "insufficient_permissions.ip_not_whitelisted"
    },
    "404": {
     "not_found": {
      "summary": "Service not found or access denied",
      "value": {
       "success": false,
       "error": {
        "code": "not_found",
        "message": "Service not found or access denied"
       }
      }
     }
    },
    "429": {
     "rate_limit_exceeded": "rate_limit_exceeded",
     "rate_limit_exceeded_authentication": "rate_limit_exceeded.authentication"
    },
    "500": {
     "email_send_error": {
      "summary": "The email could not be sent",
      "value": {
       "success": false,
       "error": {
        "code": "email_send_error",
        "message": "The email could not be sent",
        "details": {
         "reason": "rejected",
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "provider_code": "406",
         "retryable": false
        }
       }
      }
     },
     "outcome_unknown": {
      "summary": "The email could not be sent",
      "value": {
       "success": false,
       "error": {
        "code": "email_send_error",
        "message": "The email could not be sent",
        "details": {
         "reason": "outcome_unknown",
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "provider_code": null,
         "retryable": false
        }
       }
      }
     },
     "server_error": "server_error",
     "server_error_busy": "server_error.busy"
    }
   }
  },
  "listPlans": {
   "path": {},
   "responses": {
    "200": {
     "page": {
      "summary": "The first two by rank",
      "value": {
       "success": true,
       "data": [
        {
         "id": "pln_test_starter",
         "slug": "starter",
         "display_name": "Starter",
         "upgrade_rank": 10,
         "billing_type": "monthly",
         "description": null,
         "specifications": {
          "vcpu": 1,
          "memory_mb": 1024,
          "disk_gb": 20,
          "transfer_gb": null
         },
         "price": {
          "amount": "5.00",
          "currency": "EUR"
         },
         "requires_operator_review": false,
         "mode": "test",
         "simulated": true
        },
        {
         "id": "pln_test_business",
         "slug": "business",
         "display_name": "Business",
         "upgrade_rank": 20,
         "billing_type": "monthly",
         "description": null,
         "specifications": {
          "vcpu": 2,
          "memory_mb": 4096,
          "disk_gb": 20,
          "transfer_gb": null
         },
         "price": {
          "amount": "15.00",
          "currency": "EUR"
         },
         "requires_operator_review": false,
         "mode": "test",
         "simulated": true
        }
       ],
       "pagination": {
        "page": 1,
        "perPage": 2,
        "total": 4,
        "totalPages": 2
       }
      }
     }
    },
    "400": {
     "invalid_parameter": {
      "summary": "A page that is too large",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_parameter",
        "message": "Invalid: query.limit",
        "details": {
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "fields": [
          {
           "path": "query.limit",
           "rule": "range",
           "message": "must be between 1 and 100"
          }
         ]
        }
       }
      }
     },
     "invalid_request_malformed_request": "invalid_request.malformed_request",
     "invalid_request_https_required": "invalid_request.https_required"
    },
    "401": {
     "authentication_failed_missing": "authentication_failed.missing",
     "authentication_failed_malformed": "authentication_failed.malformed",
     "authentication_failed_invalid": "authentication_failed.invalid",
     "authentication_failed_inactive": "authentication_failed.inactive",
     "authentication_failed_expired": "authentication_failed.expired"
    },
    "403": {
     "missing_scope": {
      "summary": "Missing required scope",
      "value": {
       "success": false,
       "error": {
        "code": "insufficient_permissions",
        "message": "Missing required scope",
        "details": {
         "reason": "missing_scope",
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "required_scopes": [
          "plans:read",
          "admin:full"
         ],
         "granted_scopes": []
        }
       }
      }
     },
     "insufficient_permissions_ip_not_whitelisted": "insufficient_permissions.ip_not_whitelisted"
    },
    "429": {
     "rate_limit_exceeded": "rate_limit_exceeded",
     "rate_limit_exceeded_authentication": "rate_limit_exceeded.authentication"
    },
    "500": {
     "server_error": "server_error",
     "server_error_busy": "server_error.busy"
    }
   }
  },
  "listRequests": {
   "path": {},
   "responses": {
    "200": {
     "page": {
      "summary": "The newest two",
      "value": {
       "success": true,
       "data": [
        {
         "request_id": "req_test_sample_pending",
         "type": "plan-upgrade",
         "request_status": "pending",
         "operator_review": false,
         "service_number": 900012,
         "origin": "client",
         "submitted_date": "2026-01-31T00:00:00.000Z",
         "updated_date": "2026-01-31T00:00:00.000Z",
         "processed_date": null,
         "decision": null,
         "failure": null,
         "is_final": false,
         "next_check_seconds": 60,
         "current_plan": {
          "id": "pln_test_starter",
          "slug": "starter",
          "display_name": "Starter",
          "upgrade_rank": 10,
          "billing_type": "monthly"
         },
         "new_plan": {
          "id": "pln_test_business",
          "slug": "business",
          "display_name": "Business",
          "upgrade_rank": 20,
          "billing_type": "monthly"
         },
         "effective_date": null,
         "mode": "test",
         "simulated": true
        },
        {
         "request_id": "req_test_sample_operator_review",
         "type": "plan-upgrade",
         "request_status": "operator_review",
         "operator_review": true,
         "service_number": 900014,
         "origin": "broker",
         "submitted_date": "2026-01-30T00:00:00.000Z",
         "updated_date": "2026-01-30T00:00:00.000Z",
         "processed_date": null,
         "decision": null,
         "failure": null,
         "is_final": false,
         "next_check_seconds": 60,
         "current_plan": {
          "id": "pln_test_starter",
          "slug": "starter",
          "display_name": "Starter",
          "upgrade_rank": 10,
          "billing_type": "monthly"
         },
         "new_plan": {
          "id": "pln_test_enterprise",
          "slug": "enterprise",
          "display_name": "Enterprise",
          "upgrade_rank": 30,
          "billing_type": "monthly"
         },
         "effective_date": null,
         "mode": "test",
         "simulated": true
        }
       ],
       "pagination": {
        "page": 1,
        "perPage": 2,
        "total": 7,
        "totalPages": 4
       }
      }
     },
     "pending": {
      "summary": "What waits for your decision",
      "value": {
       "success": true,
       "data": [
        {
         "request_id": "req_test_sample_pending",
         "type": "plan-upgrade",
         "request_status": "pending",
         "operator_review": false,
         "service_number": 900012,
         "origin": "client",
         "submitted_date": "2026-01-31T00:00:00.000Z",
         "updated_date": "2026-01-31T00:00:00.000Z",
         "processed_date": null,
         "decision": null,
         "failure": null,
         "is_final": false,
         "next_check_seconds": 60,
         "current_plan": {
          "id": "pln_test_starter",
          "slug": "starter",
          "display_name": "Starter",
          "upgrade_rank": 10,
          "billing_type": "monthly"
         },
         "new_plan": {
          "id": "pln_test_business",
          "slug": "business",
          "display_name": "Business",
          "upgrade_rank": 20,
          "billing_type": "monthly"
         },
         "effective_date": null,
         "mode": "test",
         "simulated": true
        }
       ],
       "pagination": {
        "page": 1,
        "perPage": 25,
        "total": 1,
        "totalPages": 1
       }
      }
     }
    },
    "400": {
     "invalid_parameter": {
      "summary": "A page that is too large",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_parameter",
        "message": "Invalid: query.limit",
        "details": {
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "fields": [
          {
           "path": "query.limit",
           "rule": "range",
           "message": "must be between 1 and 100"
          }
         ]
        }
       }
      }
     },
     "invalid_request_malformed_request": "invalid_request.malformed_request",
     "invalid_request_https_required": "invalid_request.https_required"
    },
    "401": {
     "authentication_failed_missing": "authentication_failed.missing",
     "authentication_failed_malformed": "authentication_failed.malformed",
     "authentication_failed_invalid": "authentication_failed.invalid",
     "authentication_failed_inactive": "authentication_failed.inactive",
     "authentication_failed_expired": "authentication_failed.expired"
    },
    "403": {
     "missing_scope": {
      "summary": "Missing required scope",
      "value": {
       "success": false,
       "error": {
        "code": "insufficient_permissions",
        "message": "Missing required scope",
        "details": {
         "reason": "missing_scope",
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "required_scopes": [
          "requests:read",
          "admin:full"
         ],
         "granted_scopes": []
        }
       }
      }
     },
     "insufficient_permissions_ip_not_whitelisted": "insufficient_permissions.ip_not_whitelisted"
    },
    "429": {
     "rate_limit_exceeded": "rate_limit_exceeded",
     "rate_limit_exceeded_authentication": "rate_limit_exceeded.authentication"
    },
    "500": {
     "server_error": "server_error",
     "server_error_busy": "server_error.busy"
    }
   }
  },
  "getRequest": {
   "path": {
    "request_id": "req_test_sample_pending"
   },
   "responses": {
    "200": {
     "pending": {
      "summary": "It waits for your decision",
      "value": {
       "success": true,
       "data": {
        "request_id": "req_test_sample_pending",
        "type": "plan-upgrade",
        "request_status": "pending",
        "operator_review": false,
        "service_number": 900012,
        "origin": "client",
        "submitted_date": "2026-01-31T00:00:00.000Z",
        "updated_date": "2026-01-31T00:00:00.000Z",
        "processed_date": null,
        "decision": null,
        "failure": null,
        "is_final": false,
        "next_check_seconds": 60,
        "history": [
         {
          "request_status": "pending",
          "date": "2026-01-31T00:00:00.000Z",
          "actor": "client",
          "note": null
         }
        ],
        "current_plan": {
         "id": "pln_test_starter",
         "slug": "starter",
         "display_name": "Starter",
         "upgrade_rank": 10,
         "billing_type": "monthly"
        },
        "new_plan": {
         "id": "pln_test_business",
         "slug": "business",
         "display_name": "Business",
         "upgrade_rank": 20,
         "billing_type": "monthly"
        },
        "effective_date": null,
        "mode": "test",
        "simulated": true
       }
      }
     },
     "failed": {
      "summary": "It was accepted and failed",
      "value": {
       "success": true,
       "data": {
        "request_id": "req_test_sample_failed",
        "type": "plan-upgrade",
        "request_status": "failed",
        "operator_review": false,
        "service_number": 900011,
        "origin": "broker",
        "submitted_date": "2026-01-10T00:00:00.000Z",
        "updated_date": "2026-01-10T00:01:00.000Z",
        "processed_date": "2026-01-10T00:01:00.000Z",
        "decision": null,
        "failure": {
         "reason": "provisioning_failed",
         "message": "The plan could not be changed; the service works as before",
         "service_usable": true,
         "retryable": true
        },
        "is_final": true,
        "next_check_seconds": null,
        "history": [
         {
          "request_status": "accepted",
          "date": "2026-01-10T00:00:00.000Z",
          "actor": "broker",
          "note": null
         },
         {
          "request_status": "failed",
          "date": "2026-01-10T00:01:00.000Z",
          "actor": "system",
          "note": "provisioning_failed"
         }
        ],
        "current_plan": {
         "id": "pln_test_starter",
         "slug": "starter",
         "display_name": "Starter",
         "upgrade_rank": 10,
         "billing_type": "monthly"
        },
        "new_plan": {
         "id": "pln_test_business",
         "slug": "business",
         "display_name": "Business",
         "upgrade_rank": 20,
         "billing_type": "monthly"
        },
        "effective_date": "2026-01-10T00:00:00.000Z",
        "mode": "test",
        "simulated": true
       }
      }
     },
     "denied": {
      "summary": "You denied it",
      "value": {
       "success": true,
       "data": {
        "request_id": "req_test_sample_denied",
        "type": "cancellation",
        "request_status": "denied",
        "operator_review": false,
        "service_number": 900001,
        "origin": "client",
        "submitted_date": "2026-01-08T00:00:00.000Z",
        "updated_date": "2026-01-08T00:01:00.000Z",
        "processed_date": "2026-01-08T00:01:00.000Z",
        "decision": {
         "action": "deny",
         "decided_by": "broker",
         "reason": "The client changed their mind.",
         "decided_date": "2026-01-08T00:01:00.000Z"
        },
        "failure": null,
        "is_final": true,
        "next_check_seconds": null,
        "history": [
         {
          "request_status": "pending",
          "date": "2026-01-08T00:00:00.000Z",
          "actor": "client",
          "note": null
         },
         {
          "request_status": "denied",
          "date": "2026-01-08T00:01:00.000Z",
          "actor": "broker",
          "note": "The client changed their mind."
         }
        ],
        "effective_date": null,
        "cancellation_type": "immediate",
        "reason": null,
        "mode": "test",
        "simulated": true
       }
      }
     },
     "completed": {
      "summary": "It was carried out",
      "value": {
       "success": true,
       "data": {
        "request_id": "req_test_sample_completed",
        "type": "cancellation",
        "request_status": "completed",
        "operator_review": false,
        "service_number": 900004,
        "origin": "broker",
        "submitted_date": "2026-01-11T00:00:00.000Z",
        "updated_date": "2026-01-12T00:00:00.000Z",
        "processed_date": "2026-01-12T00:00:00.000Z",
        "decision": null,
        "failure": null,
        "is_final": true,
        "next_check_seconds": null,
        "history": [
         {
          "request_status": "accepted",
          "date": "2026-01-11T00:00:00.000Z",
          "actor": "broker",
          "note": null
         },
         {
          "request_status": "completed",
          "date": "2026-01-12T00:00:00.000Z",
          "actor": "system",
          "note": null
         }
        ],
        "effective_date": "2026-01-11T00:00:00.000Z",
        "cancellation_type": "immediate",
        "reason": null,
        "mode": "test",
        "simulated": true
       }
      }
     },
     "approved": {
      "summary": "A warning that was sent",
      "value": {
       "success": true,
       "data": {
        "request_id": "req_test_sample_approved",
        "type": "cancellation-warning",
        "request_status": "approved",
        "operator_review": false,
        "service_number": 900001,
        "origin": "broker",
        "submitted_date": "2026-01-09T00:00:00.000Z",
        "updated_date": "2026-01-09T00:00:00.000Z",
        "processed_date": "2026-01-09T00:00:00.000Z",
        "decision": null,
        "failure": null,
        "is_final": true,
        "next_check_seconds": null,
        "history": [
         {
          "request_status": "approved",
          "date": "2026-01-09T00:00:00.000Z",
          "actor": "broker",
          "note": null
         }
        ],
        "warning_reason": "An invoice is overdue.",
        "mode": "test",
        "simulated": true
       }
      }
     }
    },
    "400": {
     "invalid_parameter": {
      "summary": "An unknown query parameter",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_parameter",
        "message": "Invalid: query.verbose",
        "details": {
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "fields": [
          {
           "path": "query.verbose",
           "rule": "unknown",
           "message": "is not known here"
          }
         ]
        }
       }
      }
     },
     "invalid_request_malformed_request": "invalid_request.malformed_request",
     "invalid_request_https_required": "invalid_request.https_required"
    },
    "401": {
     "authentication_failed_missing": "authentication_failed.missing",
     "authentication_failed_malformed": "authentication_failed.malformed",
     "authentication_failed_invalid": "authentication_failed.invalid",
     "authentication_failed_inactive": "authentication_failed.inactive",
     "authentication_failed_expired": "authentication_failed.expired"
    },
    "403": {
     "missing_scope": {
      "summary": "Missing required scope",
      "value": {
       "success": false,
       "error": {
        "code": "insufficient_permissions",
        "message": "Missing required scope",
        "details": {
         "reason": "missing_scope",
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "required_scopes": [
          "requests:read",
          "admin:full"
         ],
         "granted_scopes": []
        }
       }
      }
     },
     "insufficient_permissions_ip_not_whitelisted": "insufficient_permissions.ip_not_whitelisted"
    },
    "404": {
     "not_found": {
      "summary": "Request not found or access denied",
      "value": {
       "success": false,
       "error": {
        "code": "not_found",
        "message": "Request not found or access denied"
       }
      }
     }
    },
    "429": {
     "rate_limit_exceeded": "rate_limit_exceeded",
     "rate_limit_exceeded_authentication": "rate_limit_exceeded.authentication"
    },
    "500": {
     "server_error": "server_error",
     "server_error_busy": "server_error.busy"
    }
   }
  },
  "approveRequest": {
   "path": {
    "request_id": "req_test_sample_pending"
   },
   "body": {
    "reason": "Agreed with the client by phone."
   },
   "responses": {
    "200": {
     "accepted": {
      "summary": "Approved and queued",
      "value": {
       "success": true,
       "data": {
        "request_id": "req_test_sample_pending",
        "type": "plan-upgrade",
        "request_status": "accepted",
        "operator_review": false,
        "service_number": 900012,
        "origin": "client",
        "submitted_date": "2026-01-31T00:00:00.000Z",
        "updated_date": "2026-03-02T09:30:00.000Z",
        "processed_date": null,
        "decision": {
         "action": "approve",
         "decided_by": "broker",
         "reason": "Agreed with the client by phone.",
         "decided_date": "2026-03-02T09:30:00.000Z"
        },
        "failure": null,
        "is_final": false,
        "next_check_seconds": 1,
        "current_plan": {
         "id": "pln_test_starter",
         "slug": "starter",
         "display_name": "Starter",
         "upgrade_rank": 10,
         "billing_type": "monthly"
        },
        "new_plan": {
         "id": "pln_test_business",
         "slug": "business",
         "display_name": "Business",
         "upgrade_rank": 20,
         "billing_type": "monthly"
        },
        "effective_date": "2026-03-02T09:30:00.000Z",
        "mode": "test",
        "simulated": true
       }
      }
     }
    },
    "400": {
     "invalid_parameter": {
      "summary": "A blank reason",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_parameter",
        "message": "Invalid: body.reason",
        "details": {
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "fields": [
          {
           "path": "body.reason",
           "rule": "blank",
           "message": "must not be blank"
          }
         ]
        }
       }
      }
     },
     "awaiting_operator": {
      "summary": "The request is under review by the service operator, who alone can decide it now",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_state",
        "message": "The request is under review by the service operator, who alone can decide it now",
        "details": {
         "reason": "awaiting_operator",
         "correlation_id": "Yk3vQ0c1TzAB-1k"
        }
       }
      }
     },
     "invalid_request_malformed_json": "invalid_request.malformed_json",
     "invalid_request_not_an_object": "invalid_request.not_an_object",
     "invalid_request_content_type": "invalid_request.content_type",
     "invalid_request_body_too_large": "invalid_request.body_too_large",
     "invalid_request_malformed_request": "invalid_request.malformed_request",
     "invalid_request_https_required": "invalid_request.https_required"
    },
    "401": {
     "authentication_failed_missing": "authentication_failed.missing",
     "authentication_failed_malformed": "authentication_failed.malformed",
     "authentication_failed_invalid": "authentication_failed.invalid",
     "authentication_failed_inactive": "authentication_failed.inactive",
     "authentication_failed_expired": "authentication_failed.expired"
    },
    "403": {
     "missing_scope": {
      "summary": "Missing required scope",
      "value": {
       "success": false,
       "error": {
        "code": "insufficient_permissions",
        "message": "Missing required scope",
        "details": {
         "reason": "missing_scope",
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "required_scopes": [
          "requests:write",
          "admin:full"
         ],
         "granted_scopes": []
        }
       }
      }
     },
     "insufficient_permissions_ip_not_whitelisted": "insufficient_permissions.ip_not_whitelisted"
    },
    "404": {
     "not_found": {
      "summary": "Request not found or access denied",
      "value": {
       "success": false,
       "error": {
        "code": "not_found",
        "message": "Request not found or access denied"
       }
      }
     }
    },
    "409": {
     "request_already_processed": {
      "summary": "The request has been processed already: it is denied",
      "value": {
       "success": false,
       "error": {
        "code": "already_processed",
        "message": "The request has been processed already: it is denied",
        "details": {
         "reason": "request_already_processed",
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "request_status": "denied",
         "processed_date": "2026-01-08T00:01:00.000Z",
         "decision": {
          "action": "deny",
          "decided_by": "broker",
          "reason": "The client changed their mind.",
          "decided_date": "2026-01-08T00:01:00.000Z"
         }
        }
       }
      }
     },
     "idempotency_key_reused": {
      "summary": "The idempotency key was used for a different request",
      "value": {
       "success": false,
       "error": {
        "code": "already_processed",
        "message": "The idempotency key was used for a different request",
        "details": {
         "reason": "idempotency_key_reused",
         "correlation_id": "Yk3vQ0c1TzAB-1k"
        }
       }
      }
     }
    },
    "429": {
     "rate_limit_exceeded": "rate_limit_exceeded",
     "rate_limit_exceeded_authentication": "rate_limit_exceeded.authentication"
    },
    "500": {
     "server_error": "server_error",
     "server_error_busy": "server_error.busy"
    }
   }
  },
  "denyRequest": {
   "path": {
    "request_id": "req_test_sample_pending"
   },
   "body": {
    "reason": "An invoice is still open."
   },
   "responses": {
    "200": {
     "denied": {
      "summary": "Denied",
      "value": {
       "success": true,
       "data": {
        "request_id": "req_test_sample_pending",
        "type": "plan-upgrade",
        "request_status": "denied",
        "operator_review": false,
        "service_number": 900012,
        "origin": "client",
        "submitted_date": "2026-01-31T00:00:00.000Z",
        "updated_date": "2026-03-02T09:30:00.000Z",
        "processed_date": "2026-03-02T09:30:00.000Z",
        "decision": {
         "action": "deny",
         "decided_by": "broker",
         "reason": "An invoice is still open.",
         "decided_date": "2026-03-02T09:30:00.000Z"
        },
        "failure": null,
        "is_final": true,
        "next_check_seconds": null,
        "current_plan": {
         "id": "pln_test_starter",
         "slug": "starter",
         "display_name": "Starter",
         "upgrade_rank": 10,
         "billing_type": "monthly"
        },
        "new_plan": {
         "id": "pln_test_business",
         "slug": "business",
         "display_name": "Business",
         "upgrade_rank": 20,
         "billing_type": "monthly"
        },
        "effective_date": null,
        "mode": "test",
        "simulated": true
       }
      }
     }
    },
    "400": {
     "missing_parameter": {
      "summary": "A required field is missing",
      "value": {
       "success": false,
       "error": {
        "code": "missing_parameter",
        "message": "Missing or invalid: body.reason",
        "details": {
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "fields": [
          {
           "path": "body.reason",
           "rule": "required",
           "message": "is required"
          }
         ]
        }
       }
      }
     },
     "invalid_parameter": {
      "summary": "A blank reason",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_parameter",
        "message": "Invalid: body.reason",
        "details": {
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "fields": [
          {
           "path": "body.reason",
           "rule": "blank",
           "message": "must not be blank"
          }
         ]
        }
       }
      }
     },
     "awaiting_operator": {
      "summary": "The request is under review by the service operator, who alone can decide it now",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_state",
        "message": "The request is under review by the service operator, who alone can decide it now",
        "details": {
         "reason": "awaiting_operator",
         "correlation_id": "Yk3vQ0c1TzAB-1k"
        }
       }
      }
     },
     "invalid_request_malformed_json": "invalid_request.malformed_json",
     "invalid_request_not_an_object": "invalid_request.not_an_object",
     "invalid_request_content_type": "invalid_request.content_type",
     "invalid_request_body_too_large": "invalid_request.body_too_large",
     "invalid_request_malformed_request": "invalid_request.malformed_request",
     "invalid_request_https_required": "invalid_request.https_required"
    },
    "401": {
     "authentication_failed_missing": "authentication_failed.missing",
     "authentication_failed_malformed": "authentication_failed.malformed",
     "authentication_failed_invalid": "authentication_failed.invalid",
     "authentication_failed_inactive": "authentication_failed.inactive",
     "authentication_failed_expired": "authentication_failed.expired"
    },
    "403": {
     "missing_scope": {
      "summary": "Missing required scope",
      "value": {
       "success": false,
       "error": {
        "code": "insufficient_permissions",
        "message": "Missing required scope",
        "details": {
         "reason": "missing_scope",
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "required_scopes": [
          "requests:write",
          "admin:full"
         ],
         "granted_scopes": []
        }
       }
      }
     },
     "insufficient_permissions_ip_not_whitelisted": "insufficient_permissions.ip_not_whitelisted"
    },
    "404": {
     "not_found": {
      "summary": "Request not found or access denied",
      "value": {
       "success": false,
       "error": {
        "code": "not_found",
        "message": "Request not found or access denied"
       }
      }
     }
    },
    "409": {
     "request_already_processed": {
      "summary": "The request has been processed already: it is completed",
      "value": {
       "success": false,
       "error": {
        "code": "already_processed",
        "message": "The request has been processed already: it is completed",
        "details": {
         "reason": "request_already_processed",
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "request_status": "completed",
         "processed_date": "2026-01-12T00:00:00.000Z",
         "decision": null
        }
       }
      }
     }
    },
    "429": {
     "rate_limit_exceeded": "rate_limit_exceeded",
     "rate_limit_exceeded_authentication": "rate_limit_exceeded.authentication"
    },
    "500": {
     "server_error": "server_error",
     "server_error_busy": "server_error.busy"
    }
   }
  },
  "withdrawRequest": {
   "path": {
    "request_id": "req_test_sample_operator_review"
   },
   "body": {
    "reason": "The client has paid."
   },
   "responses": {
    "200": {
     "denied": {
      "summary": "It was under review",
      "value": {
       "success": true,
       "data": {
        "request_id": "req_test_sample_operator_review",
        "type": "plan-upgrade",
        "request_status": "denied",
        "operator_review": false,
        "service_number": 900014,
        "origin": "broker",
        "submitted_date": "2026-01-30T00:00:00.000Z",
        "updated_date": "2026-03-02T09:30:00.000Z",
        "processed_date": "2026-03-02T09:30:00.000Z",
        "decision": {
         "action": "deny",
         "decided_by": "broker",
         "reason": "withdrawn",
         "decided_date": "2026-03-02T09:30:00.000Z"
        },
        "failure": null,
        "is_final": true,
        "next_check_seconds": null,
        "current_plan": {
         "id": "pln_test_starter",
         "slug": "starter",
         "display_name": "Starter",
         "upgrade_rank": 10,
         "billing_type": "monthly"
        },
        "new_plan": {
         "id": "pln_test_enterprise",
         "slug": "enterprise",
         "display_name": "Enterprise",
         "upgrade_rank": 30,
         "billing_type": "monthly"
        },
        "effective_date": null,
        "mode": "test",
        "simulated": true
       }
      }
     },
     "failed": {
      "summary": "It was accepted",
      "value": {
       "success": true,
       "data": {
        "request_id": "req_test_sample_accepted",
        "type": "cancellation",
        "request_status": "failed",
        "operator_review": false,
        "service_number": 900015,
        "origin": "broker",
        "submitted_date": "2026-01-29T00:00:00.000Z",
        "updated_date": "2026-03-02T09:30:00.000Z",
        "processed_date": "2026-03-02T09:30:00.000Z",
        "decision": null,
        "failure": {
         "reason": "withdrawn",
         "message": "The broker withdrew the request before its work began",
         "service_usable": true,
         "retryable": true
        },
        "is_final": true,
        "next_check_seconds": null,
        "effective_date": "2099-12-31T00:00:00.000Z",
        "cancellation_type": "end_of_term",
        "reason": null,
        "mode": "test",
        "simulated": true
       }
      }
     }
    },
    "400": {
     "invalid_parameter": {
      "summary": "A blank reason",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_parameter",
        "message": "Invalid: body.reason",
        "details": {
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "fields": [
          {
           "path": "body.reason",
           "rule": "blank",
           "message": "must not be blank"
          }
         ]
        }
       }
      }
     },
     "awaiting_decision": {
      "summary": "The request waits for a decision: deny it where the client no longer wants it",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_state",
        "message": "The request waits for a decision: deny it where the client no longer wants it",
        "details": {
         "reason": "awaiting_decision",
         "correlation_id": "Yk3vQ0c1TzAB-1k"
        }
       }
      }
     },
     "invalid_request_malformed_json": "invalid_request.malformed_json",
     "invalid_request_not_an_object": "invalid_request.not_an_object",
     "invalid_request_content_type": "invalid_request.content_type",
     "invalid_request_body_too_large": "invalid_request.body_too_large",
     "invalid_request_malformed_request": "invalid_request.malformed_request",
     "invalid_request_https_required": "invalid_request.https_required"
    },
    "401": {
     "authentication_failed_missing": "authentication_failed.missing",
     "authentication_failed_malformed": "authentication_failed.malformed",
     "authentication_failed_invalid": "authentication_failed.invalid",
     "authentication_failed_inactive": "authentication_failed.inactive",
     "authentication_failed_expired": "authentication_failed.expired"
    },
    "403": {
     "missing_scope": {
      "summary": "Missing required scope",
      "value": {
       "success": false,
       "error": {
        "code": "insufficient_permissions",
        "message": "Missing required scope",
        "details": {
         "reason": "missing_scope",
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "required_scopes": [
          "admin:full"
         ],
         "granted_scopes": []
        }
       }
      }
     },
     "insufficient_permissions_ip_not_whitelisted": "insufficient_permissions.ip_not_whitelisted"
    },
    "404": {
     "not_found": {
      "summary": "Request not found or access denied",
      "value": {
       "success": false,
       "error": {
        "code": "not_found",
        "message": "Request not found or access denied"
       }
      }
     }
    },
    "409": {
     "request_already_processed": {
      "summary": "The request has been processed already: it is completed",
      "value": {
       "success": false,
       "error": {
        "code": "already_processed",
        "message": "The request has been processed already: it is completed",
        "details": {
         "reason": "request_already_processed",
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "request_status": "completed",
         "processed_date": "2026-01-12T00:00:00.000Z",
         "decision": null
        }
       }
      }
     },
     "idempotency_key_reused": {
      "summary": "The idempotency key was used for a different request",
      "value": {
       "success": false,
       "error": {
        "code": "already_processed",
        "message": "The idempotency key was used for a different request",
        "details": {
         "reason": "idempotency_key_reused",
         "correlation_id": "Yk3vQ0c1TzAB-1k"
        }
       }
      }
     }
    },
    "429": {
     "rate_limit_exceeded": "rate_limit_exceeded",
     "rate_limit_exceeded_authentication": "rate_limit_exceeded.authentication"
    },
    "500": {
     "server_error": "server_error",
     "server_error_busy": "server_error.busy"
    }
   }
  },
  "sendServicesReport": {
   "path": {},
   "body": {
    "recipient_email": "accounts@demo-hosting.example.com",
    "period_from": "2026-01-01",
    "period_to": "2026-04-01",
    "service_status": "active"
   },
   "responses": {
    "200": {
     "sent": {
      "summary": "The email was sent",
      "value": {
       "success": true,
       "data": {
        "report_id": "rpt_01KJPY44E03SG22TWHHM0XPCSX",
        "type": "services-report",
        "report_status": "sent",
        "recipient_email": "accounts@demo-hosting.example.com",
        "row_count": 14,
        "period_from": "2026-01-01T00:00:00.000Z",
        "period_to": "2026-04-01T00:00:00.000Z",
        "submitted_date": "2026-03-02T09:30:00.000Z",
        "processed_date": "2026-03-02T09:30:00.000Z",
        "mode": "test",
        "simulated": true
       }
      }
     }
    },
    "400": {
     "invalid_parameter": {
      "summary": "A period that ends before it begins",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_parameter",
        "message": "Invalid: body.period_to",
        "details": {
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "fields": [
          {
           "path": "body.period_to",
           "rule": "conflict",
           "message": "must not be before period_from"
          }
         ]
        }
       }
      }
     },
     "recipient_not_verified": {
      "summary": "Reports go only to the broker's contact and the addresses on its verified list",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_parameter",
        "message": "Reports go only to the broker's contact and the addresses on its verified list",
        "details": {
         "reason": "recipient_not_verified",
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "fields": [
          {
           "path": "body.recipient_email",
           "rule": "enum",
           "message": "is not a verified address of the broker"
          }
         ]
        }
       }
      }
     },
     "invalid_request_malformed_json": "invalid_request.malformed_json",
     "invalid_request_not_an_object": "invalid_request.not_an_object",
     "invalid_request_content_type": "invalid_request.content_type",
     "invalid_request_body_too_large": "invalid_request.body_too_large",
     "invalid_request_malformed_request": "invalid_request.malformed_request",
     "invalid_request_https_required": "invalid_request.https_required"
    },
    "401": {
     "authentication_failed_missing": "authentication_failed.missing",
     "authentication_failed_malformed": "authentication_failed.malformed",
     "authentication_failed_invalid": "authentication_failed.invalid",
     "authentication_failed_inactive": "authentication_failed.inactive",
     "authentication_failed_expired": "authentication_failed.expired"
    },
    "403": {
     "missing_scope": {
      "summary": "Missing required scope",
      "value": {
       "success": false,
       "error": {
        "code": "insufficient_permissions",
        "message": "Missing required scope",
        "details": {
         "reason": "missing_scope",
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "required_scopes": [
          "reports:send",
          "admin:full"
         ],
         "granted_scopes": []
        }
       }
      }
     },
     "insufficient_permissions_ip_not_whitelisted": "insufficient_permissions.ip_not_whitelisted"
    },
    "429": {
     "rate_limit_exceeded": "rate_limit_exceeded",
     "rate_limit_exceeded_authentication": "rate_limit_exceeded.authentication"
    },
    "500": {
     "unreachable": {
      "summary": "The email could not be sent",
      "value": {
       "success": false,
       "error": {
        "code": "email_send_error",
        "message": "The email could not be sent",
        "details": {
         "reason": "unreachable",
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "provider_code": null,
         "retryable": true
        }
       }
      }
     },
     "server_error": "server_error",
     "server_error_busy": "server_error.busy"
    }
   }
  },
  "sendInvoicesReport": {
   "path": {},
   "body": {
    "period_from": "2026-01-01",
    "period_to": "2026-04-01",
    "invoice_status": "open"
   },
   "responses": {
    "200": {
     "sent": {
      "summary": "The email was sent",
      "value": {
       "success": true,
       "data": {
        "report_id": "rpt_01KJPY44E0P819E8SGGZD8D8GW",
        "type": "invoices-report",
        "report_status": "sent",
        "recipient_email": "office@demo-hosting.example.com",
        "row_count": 0,
        "period_from": "2026-01-01T00:00:00.000Z",
        "period_to": "2026-04-01T00:00:00.000Z",
        "submitted_date": "2026-03-02T09:30:00.000Z",
        "processed_date": "2026-03-02T09:30:00.000Z",
        "mode": "test",
        "simulated": true
       }
      }
     }
    },
    "400": {
     "invalid_parameter": {
      "summary": "A date that is none",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_parameter",
        "message": "Invalid: body.period_from",
        "details": {
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "fields": [
          {
           "path": "body.period_from",
           "rule": "format",
           "message": "must be an RFC 3339 date-time with an offset, or a date"
          }
         ]
        }
       }
      }
     },
     "recipient_not_verified": {
      "summary": "Reports go only to the broker's contact and the addresses on its verified list",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_parameter",
        "message": "Reports go only to the broker's contact and the addresses on its verified list",
        "details": {
         "reason": "recipient_not_verified",
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "fields": [
          {
           "path": "body.recipient_email",
           "rule": "enum",
           "message": "is not a verified address of the broker"
          }
         ]
        }
       }
      }
     },
     "invalid_request_malformed_json": "invalid_request.malformed_json",
     "invalid_request_not_an_object": "invalid_request.not_an_object",
     "invalid_request_content_type": "invalid_request.content_type",
     "invalid_request_body_too_large": "invalid_request.body_too_large",
     "invalid_request_malformed_request": "invalid_request.malformed_request",
     "invalid_request_https_required": "invalid_request.https_required"
    },
    "401": {
     "authentication_failed_missing": "authentication_failed.missing",
     "authentication_failed_malformed": "authentication_failed.malformed",
     "authentication_failed_invalid": "authentication_failed.invalid",
     "authentication_failed_inactive": "authentication_failed.inactive",
     "authentication_failed_expired": "authentication_failed.expired"
    },
    "403": {
     "missing_scope": {
      "summary": "Missing required scope",
      "value": {
       "success": false,
       "error": {
        "code": "insufficient_permissions",
        "message": "Missing required scope",
        "details": {
         "reason": "missing_scope",
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "required_scopes": [
          "reports:send",
          "admin:full"
         ],
         "granted_scopes": []
        }
       }
      }
     },
     "insufficient_permissions_ip_not_whitelisted": "insufficient_permissions.ip_not_whitelisted"
    },
    "429": {
     "rate_limit_exceeded": "rate_limit_exceeded",
     "rate_limit_exceeded_authentication": "rate_limit_exceeded.authentication"
    },
    "500": {
     "rejected": {
      "summary": "The email could not be sent",
      "value": {
       "success": false,
       "error": {
        "code": "email_send_error",
        "message": "The email could not be sent",
        "details": {
         "reason": "rejected",
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "provider_code": "406",
         "retryable": false
        }
       }
      }
     },
     "server_error": "server_error",
     "server_error_busy": "server_error.busy"
    }
   }
  },
  "listScenarios": {
   "path": {},
   "responses": {
    "200": {
     "page": {
      "summary": "The first two",
      "value": {
       "success": true,
       "data": [
        {
         "scenario": "service_900001",
         "kind": "service",
         "service_number": 900001,
         "request_id": null,
         "plan_id": null,
         "description": "Everything succeeds"
        },
        {
         "scenario": "service_900002",
         "kind": "service",
         "service_number": 900002,
         "request_id": null,
         "plan_id": null,
         "description": "A plan change goes to review (202); the operator accepts it after 20 s"
        }
       ],
       "pagination": {
        "page": 1,
        "perPage": 2,
        "total": 32,
        "totalPages": 16
       }
      }
     }
    },
    "400": {
     "invalid_parameter": {
      "summary": "A page that is too large",
      "value": {
       "success": false,
       "error": {
        "code": "invalid_parameter",
        "message": "Invalid: query.limit",
        "details": {
         "correlation_id": "Yk3vQ0c1TzAB-1k",
         "fields": [
          {
           "path": "query.limit",
           "rule": "range",
           "message": "must be between 1 and 100"
          }
         ]
        }
       }
      }
     },
     "invalid_request_malformed_request": "invalid_request.malformed_request",
     "invalid_request_https_required": "invalid_request.https_required"
    },
    "401": {
     "authentication_failed_missing": "authentication_failed.missing",
     "authentication_failed_malformed": "authentication_failed.malformed",
     "authentication_failed_invalid": "authentication_failed.invalid",
     "authentication_failed_inactive": "authentication_failed.inactive",
     "authentication_failed_expired": "authentication_failed.expired"
    },
    "403": {
     "insufficient_permissions_ip_not_whitelisted": "insufficient_permissions.ip_not_whitelisted"
    },
    "404": {
     "not_found": {
      "summary": "A live key",
      "value": {
       "success": false,
       "error": {
        "code": "not_found",
        "message": "Not found"
       }
      }
     }
    },
    "429": {
     "rate_limit_exceeded": "rate_limit_exceeded",
     "rate_limit_exceeded_authentication": "rate_limit_exceeded.authentication"
    },
    "500": {
     "server_error": "server_error",
     "server_error_busy": "server_error.busy"
    }
   }
  }
 }
};
