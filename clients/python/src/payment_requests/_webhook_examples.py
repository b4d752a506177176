# Made from the OpenAPI document by `npm run docs`; do not edit.
"""An example of each webhook, as the API's document has it."""

EXAMPLES = {
    "PAYMENT-COMPLETED": r"""
{
  "eventType": "PAYMENT-COMPLETED",
  "message": "The payer completed the transaction.",
  "resourceType": "Payment Requests API",
  "resource": {
    "id": "018f2c7e-95a4-7c3b-8d1e-3a4b5c6d7e8f",
    "merchantTransactionId": "7e6b1f0c9d2a4b58a1c3e5f708192a3b",
    "amount": 149.95,
    "currency": "CAD",
    "type": "ECOMM",
    "deliveryMode": "NONE",
    "delivery": {
      "receipt": true
    },
    "payer": {
      "name": "Ada Tremblay",
      "merchantAccountId": "customer-2207",
      "email": "ada.tremblay@example.com",
      "mobileNumber": "+1 (514) 555-0142",
      "preferredLanguage": "fr"
    },
    "dueDate": "2026-03-15",
    "displayMessage": "Order 1042: two chairs",
    "invoiceNumber": "INV-1042",
    "businessUnit": "Web shop",
    "emailTemplate": {
      "id": "default"
    },
    "returnUrl": "https://shop.example.com/orders/1042",
    "metadata": {
      "orderId": "1042",
      "channel": "web"
    },
    "merchant": {
      "id": "mer_4c1f9a7b2d3e8f605142",
      "name": "Demo Shop"
    },
    "status": "PAID",
    "payment": {
      "institution": "Simulated Institution",
      "networkReference": "SIM-7F3K9Q2M",
      "completedDateTime": "2026-03-01T12:00:09.412Z",
      "amountReceived": 149.95
    },
    "refundSummary": {
      "status": "NONE",
      "amountReceived": 149.95,
      "amountReturned": 0,
      "amountRefunded": 0,
      "amountAvailable": 149.95
    },
    "createdDateTime": "2026-03-01T12:00:00.000Z",
    "expiryDateTime": "2026-03-15T23:59:59.999Z",
    "shortCode": "q7Rw2Kd9ZxT4bNfA",
    "paymentLink": "https://api.example.com/pay/q7Rw2Kd9ZxT4bNfA",
    "qrCodeLink": "https://api.example.com/pay/qr/q7Rw2Kd9ZxT4bNfA",
    "events": [
      {
        "status": "CREATED",
        "dateTime": "2026-03-01T12:00:00.000Z"
      },
      {
        "status": "PAID",
        "dateTime": "2026-03-01T12:00:10.003Z"
      }
    ],
    "links": [
      {
        "rel": "payment-request",
        "href": "https://api.example.com/v1/payment-requests/018f2c7e-95a4-7c3b-8d1e-3a4b5c6d7e8f"
      }
    ]
  },
  "id": "018f2c7e-bcd3-7a10-9f21-5e6d7c8b9a01",
  "createdDateTime": "2026-03-01T12:00:10.003Z",
  "sequence": 1
}
""",
    "PAYMENT-FAILED": r"""
{
  "eventType": "PAYMENT-FAILED",
  "message": "The payer’s account does not hold enough money.",
  "resourceType": "Payment Requests API",
  "resource": {
    "id": "018f2c7e-95a4-7c3b-8d1e-3a4b5c6d7e8f",
    "merchantTransactionId": "7e6b1f0c9d2a4b58a1c3e5f708192a3b",
    "amount": 149.95,
    "currency": "CAD",
    "type": "ECOMM",
    "deliveryMode": "NONE",
    "delivery": {
      "receipt": true
    },
    "payer": {
      "name": "Ada Tremblay",
      "merchantAccountId": "customer-2207",
      "email": "ada.tremblay@example.com",
      "mobileNumber": "+1 (514) 555-0142",
      "preferredLanguage": "fr"
    },
    "dueDate": "2026-03-15",
    "displayMessage": "Order 1042: two chairs",
    "invoiceNumber": "INV-1042",
    "businessUnit": "Web shop",
    "emailTemplate": {
      "id": "default"
    },
    "returnUrl": "https://shop.example.com/orders/1042",
    "metadata": {
      "orderId": "1042",
      "channel": "web"
    },
    "merchant": {
      "id": "mer_4c1f9a7b2d3e8f605142",
      "name": "Demo Shop"
    },
    "status": "FAILED",
    "statusReason": {
      "code": "INSUFFICIENT_FUNDS",
      "message": "The payer’s account does not hold enough money."
    },
    "createdDateTime": "2026-03-01T12:00:00.000Z",
    "expiryDateTime": "2026-03-15T23:59:59.999Z",
    "shortCode": "q7Rw2Kd9ZxT4bNfA",
    "paymentLink": "https://api.example.com/pay/q7Rw2Kd9ZxT4bNfA",
    "qrCodeLink": "https://api.example.com/pay/qr/q7Rw2Kd9ZxT4bNfA",
    "events": [
      {
        "status": "CREATED",
        "dateTime": "2026-03-01T12:00:00.000Z"
      },
      {
        "status": "FAILED",
        "dateTime": "2026-03-01T12:00:10.003Z"
      }
    ],
    "links": [
      {
        "rel": "payment-request",
        "href": "https://api.example.com/v1/payment-requests/018f2c7e-95a4-7c3b-8d1e-3a4b5c6d7e8f"
      }
    ]
  },
  "id": "018f2c7e-bcd3-7a10-9f21-5e6d7c8b9a01",
  "createdDateTime": "2026-03-01T12:00:10.003Z",
  "sequence": 1
}
""",
    "PAYMENT-RETURNED": r"""
{
  "eventType": "PAYMENT-RETURNED",
  "message": "Money of the payment request was returned to the payer.",
  "resourceType": "Payment Requests API",
  "resource": {
    "id": "018f2c7e-95a4-7c3b-8d1e-3a4b5c6d7e8f",
    "merchantTransactionId": "7e6b1f0c9d2a4b58a1c3e5f708192a3b",
    "amount": 149.95,
    "currency": "CAD",
    "type": "ECOMM",
    "deliveryMode": "NONE",
    "delivery": {
      "receipt": true
    },
    "payer": {
      "name": "Ada Tremblay",
      "merchantAccountId": "customer-2207",
      "email": "ada.tremblay@example.com",
      "mobileNumber": "+1 (514) 555-0142",
      "preferredLanguage": "fr"
    },
    "dueDate": "2026-03-15",
    "displayMessage": "Order 1042: two chairs",
    "invoiceNumber": "INV-1042",
    "businessUnit": "Web shop",
    "emailTemplate": {
      "id": "default"
    },
    "returnUrl": "https://shop.example.com/orders/1042",
    "metadata": {
      "orderId": "1042",
      "channel": "web"
    },
    "merchant": {
      "id": "mer_4c1f9a7b2d3e8f605142",
      "name": "Demo Shop"
    },
    "status": "PAID",
    "payment": {
      "institution": "Simulated Institution",
      "networkReference": "SIM-7F3K9Q2M",
      "completedDateTime": "2026-03-01T12:00:09.412Z",
      "amountReceived": 149.95
    },
    "refundSummary": {
      "status": "NONE",
      "amountReceived": 149.95,
      "amountReturned": 149.95,
      "amountRefunded": 0,
      "amountAvailable": 0
    },
    "createdDateTime": "2026-03-01T12:00:00.000Z",
    "expiryDateTime": "2026-03-15T23:59:59.999Z",
    "shortCode": "q7Rw2Kd9ZxT4bNfA",
    "paymentLink": "https://api.example.com/pay/q7Rw2Kd9ZxT4bNfA",
    "qrCodeLink": "https://api.example.com/pay/qr/q7Rw2Kd9ZxT4bNfA",
    "events": [
      {
        "status": "CREATED",
        "dateTime": "2026-03-01T12:00:00.000Z"
      },
      {
        "status": "PAID",
        "dateTime": "2026-03-01T12:00:10.003Z"
      }
    ],
    "links": [
      {
        "rel": "payment-request",
        "href": "https://api.example.com/v1/payment-requests/018f2c7e-95a4-7c3b-8d1e-3a4b5c6d7e8f"
      }
    ]
  },
  "id": "018f2c7e-bcd3-7a10-9f21-5e6d7c8b9a01",
  "createdDateTime": "2026-03-01T12:00:10.003Z",
  "sequence": 1
}
""",
    "REFUND-COMPLETED": r"""
{
  "eventType": "REFUND-COMPLETED",
  "message": "The refund was sent to the payer’s account.",
  "resourceType": "Payments API",
  "resource": {
    "id": "018f2c81-4b7d-7e21-9c5f-6a7b8c9d0e1f",
    "paymentRequestId": "018f2c7e-95a4-7c3b-8d1e-3a4b5c6d7e8f",
    "merchantRefundId": "order-1042-refund-1",
    "reason": "REQUESTED_BY_CUSTOMER",
    "message": "Refund of order 1042",
    "amount": 4.5,
    "currency": "CAD",
    "status": "COMPLETED",
    "createdDateTime": "2026-03-02T09:30:00.000Z",
    "events": [
      {
        "status": "CREATED",
        "dateTime": "2026-03-02T09:30:00.000Z"
      },
      {
        "status": "PROCESSING",
        "dateTime": "2026-03-02T09:30:01.015Z"
      },
      {
        "status": "COMPLETED",
        "dateTime": "2026-03-02T09:30:03.120Z"
      }
    ],
    "links": [
      {
        "rel": "refund",
        "href": "https://api.example.com/v1/refunds/018f2c81-4b7d-7e21-9c5f-6a7b8c9d0e1f"
      },
      {
        "rel": "payment-request",
        "href": "https://api.example.com/v1/payment-requests/018f2c7e-95a4-7c3b-8d1e-3a4b5c6d7e8f"
      }
    ],
    "payment": {
      "networkReference": "SR7K2M9QX4TB",
      "completedDateTime": "2026-03-02T09:30:03.120Z"
    }
  },
  "id": "018f2c7e-bcd3-7a10-9f21-5e6d7c8b9a01",
  "createdDateTime": "2026-03-01T12:00:10.003Z",
  "sequence": 1
}
""",
    "REFUND-FAILED": r"""
{
  "eventType": "REFUND-FAILED",
  "message": "The money of the refund came back.",
  "resourceType": "Payments API",
  "resource": {
    "id": "018f2c81-4b7d-7e21-9c5f-6a7b8c9d0e1f",
    "paymentRequestId": "018f2c7e-95a4-7c3b-8d1e-3a4b5c6d7e8f",
    "merchantRefundId": "order-1042-refund-1",
    "reason": "REQUESTED_BY_CUSTOMER",
    "message": "Refund of order 1042",
    "amount": 4.5,
    "currency": "CAD",
    "status": "FAILED",
    "createdDateTime": "2026-03-02T09:30:00.000Z",
    "events": [
      {
        "status": "CREATED",
        "dateTime": "2026-03-02T09:30:00.000Z"
      },
      {
        "status": "PROCESSING",
        "dateTime": "2026-03-02T09:30:01.015Z"
      },
      {
        "status": "COMPLETED",
        "dateTime": "2026-03-02T09:30:03.120Z"
      },
      {
        "status": "FAILED",
        "dateTime": "2026-03-04T07:12:45.300Z"
      }
    ],
    "links": [
      {
        "rel": "refund",
        "href": "https://api.example.com/v1/refunds/018f2c81-4b7d-7e21-9c5f-6a7b8c9d0e1f"
      },
      {
        "rel": "payment-request",
        "href": "https://api.example.com/v1/payment-requests/018f2c7e-95a4-7c3b-8d1e-3a4b5c6d7e8f"
      }
    ],
    "payment": {
      "networkReference": "SR7K2M9QX4TB",
      "completedDateTime": "2026-03-02T09:30:03.120Z"
    },
    "statusReason": {
      "code": "REFUND_RETURNED",
      "message": "The money of the refund came back."
    }
  },
  "id": "018f2c7e-bcd3-7a10-9f21-5e6d7c8b9a01",
  "createdDateTime": "2026-03-01T12:00:10.003Z",
  "sequence": 1
}
""",
    "MESSAGE-UNDELIVERED": r"""
{
  "eventType": "MESSAGE-UNDELIVERED",
  "message": "The message with the payment link did not reach the payer.",
  "resourceType": "Payment Requests API",
  "resource": {
    "id": "018f2c7e-95a4-7c3b-8d1e-3a4b5c6d7e8f",
    "merchantTransactionId": "7e6b1f0c9d2a4b58a1c3e5f708192a3b",
    "amount": 149.95,
    "currency": "CAD",
    "type": "ECOMM",
    "deliveryMode": "EMAIL",
    "delivery": {
      "receipt": true
    },
    "payer": {
      "name": "Ada Tremblay",
      "merchantAccountId": "customer-2207",
      "email": "ada.tremblay@example.com",
      "mobileNumber": "+1 (514) 555-0142",
      "preferredLanguage": "fr"
    },
    "dueDate": "2026-03-15",
    "displayMessage": "Order 1042: two chairs",
    "invoiceNumber": "INV-1042",
    "businessUnit": "Web shop",
    "emailTemplate": {
      "id": "default"
    },
    "returnUrl": "https://shop.example.com/orders/1042",
    "metadata": {
      "orderId": "1042",
      "channel": "web"
    },
    "merchant": {
      "id": "mer_4c1f9a7b2d3e8f605142",
      "name": "Demo Shop"
    },
    "status": "CREATED",
    "createdDateTime": "2026-03-01T12:00:00.000Z",
    "expiryDateTime": "2026-03-15T23:59:59.999Z",
    "shortCode": "q7Rw2Kd9ZxT4bNfA",
    "paymentLink": "https://api.example.com/pay/q7Rw2Kd9ZxT4bNfA",
    "qrCodeLink": "https://api.example.com/pay/qr/q7Rw2Kd9ZxT4bNfA",
    "events": [
      {
        "status": "CREATED",
        "dateTime": "2026-03-01T12:00:00.000Z"
      }
    ],
    "links": [
      {
        "rel": "payment-request",
        "href": "https://api.example.com/v1/payment-requests/018f2c7e-95a4-7c3b-8d1e-3a4b5c6d7e8f"
      }
    ],
    "linkMessage": {
      "id": "018f2c7e-95b0-7d10-9a2b-4c5d6e7f8091",
      "status": "FAILED",
      "reason": "REFUSED_BY_SERVER",
      "dateTime": "2026-03-01T12:00:01.214Z"
    }
  },
  "id": "018f2c7e-bcd3-7a10-9f21-5e6d7c8b9a01",
  "createdDateTime": "2026-03-01T12:00:10.003Z",
  "sequence": 1
}
""",
}
