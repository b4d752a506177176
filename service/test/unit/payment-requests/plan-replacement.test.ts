import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { earlierAmong } from '#cases/model/earlier-bookings.ts';
import { correctedCents } from '#cases/model/earlier-bookings.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import type { KnownMovement } from '#payment-requests/network/money/known-money.ts';
import { planArrival } from '#payment-requests/network/money/plan-arrival.ts';
import { planReplacement } from '#payment-requests/network/money/plan-replacement.ts';
import { ASKED, created, ID, known, move, NONE, NOW } from '../../support/payment-requests/report-decisions.ts';

