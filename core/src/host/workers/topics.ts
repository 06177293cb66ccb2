/** The questions of workers to the first process. */
import type { NoSeat } from '../../workers/seats.js'
import { type Admission, topic } from '../../workers/workers.js'
import type { MoveSeat, TakeSeat } from './front-desk.js'

export const TAKE_SEAT = topic<TakeSeat, number | NoSeat>('seats.take')
export const MOVE_SEAT = topic<MoveSeat, boolean>('seats.move')
export const LEAVE_SEAT = topic<number, void>('seats.leave')
export const ADMIT_SESSION = topic<string | undefined, Admission>('sessions.admit')
export const END_SESSION = topic<null, void>('sessions.end')
