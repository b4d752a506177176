"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.SCHEMAS = exports.BUSY_STATUSES = exports.RETRY_SECONDS = exports.CURRENCY = exports.LIMITS = exports.ANSWERED_FIELDS = exports.CREATE_ERRORS = exports.MISBEHAVIOURS = exports.OUTCOMES = exports.EVENT_TYPES = exports.REFUND_STATUS_REASONS = exports.REFUND_TRANSITIONS = exports.STATUS_REASONS = exports.TRANSITIONS = exports.REFUSALS = exports.PROBLEMS = void 0;
exports.PROBLEMS = JSON.parse(`
{"MALFORMED_JSON":[400,"Malformed JSON","The body is not valid JSON."],"VALIDATION_ERROR":[400,
"Invalid request","The request is invalid."],"API_KEY_INVALID":[401,"API key invalid",
"The API key is not known in this environment."],"ACCESS_TOKEN_INVALID":[401,"Access token invalid",
"The access token is not valid in this environment."],"ACCESS_TOKEN_EXPIRED":[401,
"Access token expired","The access token has expired; ask for a new token."],"MERCHANT_MISMATCH":[
403,"Another merchant","merchant.id names another merchant than the credentials do."],
"MERCHANT_SUSPENDED":[403,"Merchant suspended","This merchant is suspended; ask the operator."],
"PAYMENT_REQUEST_NOT_FOUND":[404,"Payment request not found",
"There is no payment request with this id."],"REFUND_NOT_FOUND":[404,"Refund not found",
"There is no refund with this id."],"ROUTE_NOT_FOUND":[404,"Not found",
"There is nothing at this address."],"DUPLICATE_MERCHANT_TRANSACTION_ID":[409,
"Duplicate merchantTransactionId",
"A payment request with this merchantTransactionId exists already."],"ALREADY_PAID":[409,
"Already paid","The payment request has been paid."],"ALREADY_EXPIRED":[409,"Already expired",
"The payment request has expired."],"ALREADY_FAILED":[409,"Already failed",
"The payment request has failed."],"ALREADY_CANCELLED":[409,"Already cancelled",
"The payment request has been cancelled."],"PAYMENT_IN_PROGRESS":[409,"Payment in progress",
"The payer has confirmed; the network has not settled the payment yet."],"NOT_PAID":[409,"Not paid",
"The payment request has not been paid, so there is nothing to refund."],
"DUPLICATE_MERCHANT_REFUND_ID":[409,"Duplicate merchantRefundId",
"Another refund was created with this merchantRefundId."],"REFUND_OUTCOME_IMPOSSIBLE":[409,
"Outcome of a refund not possible","The refund cannot get this outcome in its status."],
"VERSION_MISMATCH":[412,"Version mismatch",
"The payment request has another version than the If-Match header names."],"REFUND_AMOUNT_MISMATCH":
[412,"Another amount is available","The amount available differs from expectedAmountAvailable."],
"IDEMPOTENCY_KEY_REUSED":[422,"Idempotency-Key used before",
"This Idempotency-Key belongs to another call; use a new key for a new call."],
"REFUND_AMOUNT_EXCEEDED":[422,"Refund exceeds the amount available",
"The refund is above the amount that is available of the payment."],"RATE_LIMITED":[429,
"Too many requests","The budget of calls is used up; the Retry-After header says when to continue."]
,"INTERNAL_ERROR":[500,"Internal error",
"The service failed. Quote the requestId when you ask the operator about the call."],
"TEMPORARILY_UNAVAILABLE":[503,"Temporarily unavailable",
"The service cannot do this now. Nothing was lost; try again."]}
`);
exports.REFUSALS = JSON.parse(`
{"CREATED":null,"PROCESSING":"PAYMENT_IN_PROGRESS","PAID":"ALREADY_PAID","FAILED":"ALREADY_FAILED",
"EXPIRED":"ALREADY_EXPIRED","CANCELLED":"ALREADY_CANCELLED"}
`);
exports.TRANSITIONS = JSON.parse(`
[[null,"CREATED","CREATED","KEPT",null,false],["CREATED","PAYMENT_ACCEPTED","PROCESSING","KEPT",null
,false],["CREATED","PAYMENT_SUCCEEDED","PAID","KEPT","PAYMENT-COMPLETED",false],["PROCESSING",
"PAYMENT_SUCCEEDED","PAID","KEPT","PAYMENT-COMPLETED",false],["CREATED","PAYMENT_REFUSED","FAILED",
"SET","PAYMENT-FAILED",false],["PROCESSING","PAYMENT_REFUSED","FAILED","SET","PAYMENT-FAILED",false]
,["CREATED","EXPIRY_PASSED","EXPIRED","LINK_EXPIRED","PAYMENT-FAILED",false],["CREATED",
"CANCELLED_BY_MERCHANT","CANCELLED","CANCELLED_BY_MERCHANT","PAYMENT-FAILED",false],["FAILED",
"PAYMENT_SUCCEEDED","PAID","CLEARED","PAYMENT-COMPLETED",true],["EXPIRED","PAYMENT_SUCCEEDED",
"PAID","CLEARED","PAYMENT-COMPLETED",true],["CANCELLED","PAYMENT_SUCCEEDED","PAID","CLEARED",
"PAYMENT-COMPLETED",true]]
`);
exports.STATUS_REASONS = JSON.parse(`
{"PAYER_DECLINED":"The payer declined the payment request.","AUTHENTICATION_FAILED":
"The payer could not be authenticated by the institution.","INSUFFICIENT_FUNDS":
"The payer’s account does not hold enough money.","ACCOUNT_RESTRICTED":
"The payer’s account cannot be used for this payment.","AMOUNT_LIMIT_EXCEEDED":
"The amount is above a limit of the payer or the institution.","SUSPECTED_FRAUD":
"The institution stopped the payment as suspected fraud.","INSTITUTION_UNAVAILABLE":
"The institution could not be reached.","NETWORK_REJECTED":
"The e-transfer network rejected the payment.","NETWORK_TIMEOUT":
"The e-transfer network did not settle the payment in time.","LINK_EXPIRED":
"The payment request expired before it was paid.","CANCELLED_BY_MERCHANT":
"The merchant cancelled the payment request."}
`);
exports.REFUND_TRANSITIONS = JSON.parse(`
[[null,"CREATED","CREATED",null,null],["CREATED","HANDED_OVER","PROCESSING",null,null],["CREATED",
"EXECUTED","COMPLETED",null,"REFUND-COMPLETED"],["PROCESSING","EXECUTED","COMPLETED",null,
"REFUND-COMPLETED"],["CREATED","REFUSED","FAILED","SET","REFUND-FAILED"],["PROCESSING","REFUSED",
"FAILED","SET","REFUND-FAILED"],["CREATED","PAYMENT_RETURNED","FAILED","PAYMENT_RETURNED",
"REFUND-FAILED"],["PROCESSING","MONEY_CAME_BACK","FAILED","REFUND_RETURNED","REFUND-FAILED"],[
"COMPLETED","MONEY_CAME_BACK","FAILED","REFUND_RETURNED","REFUND-FAILED"]]
`);
exports.REFUND_STATUS_REASONS = JSON.parse(`
{"AUTHENTICATION_FAILED":"The payer could not be authenticated by the institution.",
"INSTITUTION_UNAVAILABLE":"The institution could not be reached.","PAYER_DECLINED":
"The payer declined the refund.","ACCOUNT_RESTRICTED":
"The payer’s account cannot be used for this refund.","INSUFFICIENT_FUNDS":
"The account that pays the refund does not hold enough money.","SUSPECTED_FRAUD":
"The institution stopped the refund as suspected fraud.","AMOUNT_LIMIT_EXCEEDED":
"The amount is above a limit of the institution.","NETWORK_REJECTED":
"The e-transfer network rejected the refund.","NETWORK_TIMEOUT":
"The e-transfer network did not settle the refund in time.","PAYER_ACCOUNT_UNKNOWN":
"The account that paid is not known, so no money can go back to it.","PAYMENT_RETURNED":
"The payment was taken back, so there is no money left to refund.","REFUND_RETURNED":
"The money of the refund came back."}
`);
exports.EVENT_TYPES = JSON.parse(`
{"PAYMENT-COMPLETED":["Payment Requests API",true,true,"The payer completed the transaction."],
"PAYMENT-FAILED":["Payment Requests API",true,true,null],"PAYMENT-RETURNED":["Payment Requests API",
false,false,"Money of the payment request was returned to the payer."],"REFUND-COMPLETED":[
"Payments API",false,true,"The refund was sent to the payer’s account."],"REFUND-FAILED":[
"Payments API",false,true,null],"MESSAGE-UNDELIVERED":["Payment Requests API",false,false,
"The message with the payment link did not reach the payer."]}
`);
exports.OUTCOMES = JSON.parse(`
{"depositSubmit":[[10,"PAYMENT_SUCCEEDED",false,null]],"depositDecline":[[10,"PAYMENT_REFUSED",false
,"PAYER_DECLINED"]],"depositExpire":[[10,"EXPIRY_PASSED",false,null]],"depositProcessing":[[5,
"PAYMENT_ACCEPTED",false,null],[10,"PAYMENT_SUCCEEDED",false,null]],"depositProcessingFail":[[5,
"PAYMENT_ACCEPTED",false,null],[10,"PAYMENT_REFUSED",false,"PAYER_DECLINED"]],"depositLate":[[10,
"EXPIRY_PASSED",false,null],[20,"PAYMENT_SUCCEEDED",true,null]],"depositDuplicate":[[10,
"PAYMENT_SUCCEEDED",false,null]],"depositBadSignature":[[10,"PAYMENT_SUCCEEDED",false,null]],
"depositNoWebhook":[[10,"PAYMENT_SUCCEEDED",false,null]]}
`);
exports.MISBEHAVIOURS = JSON.parse(`
{"depositDuplicate":"DUPLICATE","depositBadSignature":"BAD_SIGNATURE","depositNoWebhook":
"NO_WEBHOOK"}
`);
exports.CREATE_ERRORS = JSON.parse(`
{"400":"VALIDATION_ERROR","401":"ACCESS_TOKEN_EXPIRED","403":"MERCHANT_SUSPENDED","409":
"DUPLICATE_MERCHANT_TRANSACTION_ID","429":"RATE_LIMITED","500":"INTERNAL_ERROR","503":
"TEMPORARILY_UNAVAILABLE"}
`);
exports.ANSWERED_FIELDS = JSON.parse(`
["merchantTransactionId","amount","currency","type","deliveryMode","delivery","payer","dueDate",
"displayMessage","invoiceNumber","businessUnit","emailTemplate","webhookUrl","callbackUrl",
"returnUrl","metadata"]
`);
exports.LIMITS = JSON.parse(`
{"defaultExpirySeconds":86400,"longestExpirySeconds":31536000,"leastExpirySeconds":300,"mostCents":
1000000,"mostRefundCents":9999999999999,"mostMetadataKeys":20,"outcomeSeconds":10,
"mostOutcomeSeconds":3600,"handOverSeconds":2,"accessTokenSeconds":3600,"busyListenerSeconds":60,
"exchangeMs":15000}
`);
exports.CURRENCY = JSON.parse(`
"CAD"
`);
exports.RETRY_SECONDS = JSON.parse(`
[0,5,30,300,1800,7200,18000,36000,50400,72000,86400]
`);
exports.BUSY_STATUSES = JSON.parse(`
[429,502,503,504]
`);
exports.SCHEMAS = JSON.parse(String.raw `
{"creation":{"type":"object","required":["amount","type","payer"],"properties":{
"merchantTransactionId":{"type":"string","minLength":1,"maxLength":64,"pattern":"^[\\x20-\\x7e]*$"},
"amount":{"type":"number"},"currency":{"type":"string","minLength":1},"type":{"type":"string",
"const":"ECOMM"},"deliveryMode":{"enum":["NONE","EMAIL","SMS"]},"delivery":{"type":"object",
"properties":{"sendDateTime":{"type":"string","format":"date-time"},"reminders":{"type":"array",
"items":{"type":"integer","minimum":1,"maximum":720},"maxItems":3,"uniqueItems":true},"quietHours":{
"type":"boolean"},"receipt":{"type":"boolean"}},"additionalProperties":false},"merchant":{"type":
"object","properties":{"id":{"type":"string","minLength":1,"maxLength":64,"pattern":
"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"}}},"payer":{"type":"object","required":["name"]
,"properties":{"name":{"type":"string","minLength":1,"pattern":
"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},"merchantAccountId":{"type":"string",
"minLength":1,"maxLength":64,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},
"email":{"type":"string","minLength":1,"maxLength":254,"pattern":
"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},"mobileNumber":{"type":"string","minLength":1,
"maxLength":40,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},"preferredLanguage":{
"type":"string","pattern":"^[A-Za-z]{2}(-[A-Za-z]{2})?$"}}},"dueDate":{"type":"string","format":
"date"},"expiryDateTime":{"type":"string","format":"date-time"},"displayMessage":{"type":"string",
"minLength":1,"maxLength":250,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},
"invoiceNumber":{"type":"string","minLength":1,"maxLength":50,"pattern":
"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},"businessUnit":{"type":"string","minLength":1,
"maxLength":50,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},"emailTemplate":{
"type":"object","properties":{"id":{"type":"string","minLength":1,"maxLength":64,"pattern":
"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"}}},"webhookUrl":{"type":"string","minLength":1,
"maxLength":2048},"callbackUrl":{"type":"string","minLength":1,"maxLength":2048},"returnUrl":{
"type":"string","minLength":1,"maxLength":2048,"pattern":
"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},"metadata":{"type":"object",
"patternProperties":{"^.*$":{"type":"string","maxLength":500}},"maxProperties":20,"propertyNames":{
"minLength":1,"maxLength":40}}}},"update":{"type":"object","properties":{"delivery":{"type":[
"object","null"],"properties":{"sendDateTime":{"type":"string","format":"date-time"},"reminders":{
"type":"array","items":{"type":"integer","minimum":1,"maximum":720},"maxItems":3,"uniqueItems":true}
,"quietHours":{"type":"boolean"},"receipt":{"type":"boolean"}},"additionalProperties":false},
"payer":{"type":"object","properties":{"email":{"type":["string","null"],"minLength":1,"maxLength":
254,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},"mobileNumber":{"type":[
"string","null"],"minLength":1,"maxLength":40,"pattern":
"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"}},"additionalProperties":false},"dueDate":{
"type":["string","null"],"format":"date"},"expiryDateTime":{"type":["string","null"],"format":
"date-time"},"displayMessage":{"type":["string","null"],"minLength":1,"maxLength":250,"pattern":
"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},"invoiceNumber":{"type":["string","null"],
"minLength":1,"maxLength":50,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},
"businessUnit":{"type":["string","null"],"minLength":1,"maxLength":50,"pattern":
"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},"webhookUrl":{"type":["string","null"],
"minLength":1,"maxLength":2048},"callbackUrl":{"type":["string","null"],"minLength":1,"maxLength":
2048},"returnUrl":{"type":["string","null"],"minLength":1,"maxLength":2048,"pattern":
"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},"metadata":{"type":["object","null"],
"propertyNames":{"minLength":1,"maxLength":40},"additionalProperties":{"type":["string","null"],
"maxLength":500}}},"additionalProperties":false},"cancellation":{"type":"object","properties":{
"reason":{"enum":["DUPLICATE","REQUESTED_BY_CUSTOMER","ABANDONED","FRAUDULENT","OTHER"]},"comment":{
"type":"string","minLength":1,"maxLength":250,"pattern":
"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"}}},"list":{"type":"object","properties":{
"status":{"type":"array","items":{"enum":["CREATED","PROCESSING","PAID","FAILED","EXPIRED",
"CANCELLED"]}},"networkReference":{"type":"string","minLength":1,"maxLength":255,"pattern":
"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},"merchantTransactionId":{"type":"string",
"minLength":1,"maxLength":64,"pattern":"^[\\x20-\\x7e]*$"},"invoiceNumber":{"type":"string",
"minLength":1,"maxLength":50,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},
"businessUnit":{"type":"string","minLength":1,"maxLength":50,"pattern":
"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},"shortCode":{"type":"string","pattern":
"^(?:c(?:[2-9]|[1-9]\\d{1,2})-)?[0-9A-Za-z]{16}$"},"payerEmail":{"type":"string","maxLength":254,
"pattern":"^[^@\\s\\u0000-\\u001f\\u007f-\\u009f]+@[^@\\s\\u0000-\\u001f\\u007f-\\u009f]+$"},
"payerMobileNumber":{"type":"string","maxLength":40,"pattern":"^[-+() ]*(\\d[-+() ]*){10,15}$"},
"createdFrom":{"type":"string","format":"date-time"},"createdTo":{"type":"string","format":
"date-time"},"amountMin":{"type":"string","minLength":1},"amountMax":{"type":"string","minLength":1}
,"limit":{"type":"integer","minimum":1,"maximum":100},"cursor":{"type":"string","minLength":1}},
"additionalProperties":false},"refund":{"type":"object","properties":{"amount":{"type":"number"},
"currency":{"type":"string","minLength":1},"merchantRefundId":{"type":"string","minLength":1,
"maxLength":64,"pattern":"^[\\x20-\\x7e]*$"},"expectedAmountAvailable":{"type":"number"},"reason":{
"enum":["REQUESTED_BY_CUSTOMER","DUPLICATE","FRAUDULENT","OTHER"]},"message":{"type":"string",
"minLength":1,"maxLength":140,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},
"webhookUrl":{"type":"string","maxLength":2048,"minLength":1}}},"refundList":{"type":"object",
"properties":{"status":{"type":"array","items":{"enum":["CREATED","PROCESSING","COMPLETED","FAILED"]
}},"merchantRefundId":{"type":"string","minLength":1,"maxLength":64,"pattern":"^[\\x20-\\x7e]*$"},
"paymentRequestId":{"type":"string","format":"uuid","pattern":"^[0-9A-Fa-f-]{36}$"},"createdFrom":{
"type":"string","format":"date-time"},"createdTo":{"type":"string","format":"date-time"},"limit":{
"type":"integer","minimum":1,"maximum":100},"cursor":{"type":"string","minLength":1}},
"additionalProperties":false},"simulation":{"type":"object","required":["outcome"],"properties":{
"outcome":{"enum":["PAID","FAILED","EXPIRED","PROCESSING","RETURNED","PART_PAYMENT","SECOND_PAYMENT"
]},"reason":{"enum":["PAYER_DECLINED","AUTHENTICATION_FAILED","INSUFFICIENT_FUNDS",
"ACCOUNT_RESTRICTED","AMOUNT_LIMIT_EXCEEDED","SUSPECTED_FRAUD","INSTITUTION_UNAVAILABLE",
"NETWORK_REJECTED","NETWORK_TIMEOUT"]}}},"refundSimulation":{"type":"object","required":["outcome"],
"properties":{"outcome":{"enum":["COMPLETED","FAILED","RETURNED"]},"reason":{"enum":[
"AUTHENTICATION_FAILED","INSTITUTION_UNAVAILABLE","PAYER_DECLINED","ACCOUNT_RESTRICTED",
"INSUFFICIENT_FUNDS","SUSPECTED_FRAUD","AMOUNT_LIMIT_EXCEEDED","NETWORK_REJECTED","NETWORK_TIMEOUT",
"PAYER_ACCOUNT_UNKNOWN"]}}}}
`);
