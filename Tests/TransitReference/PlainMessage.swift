/// A GTFS-realtime message as an interpreter of its own reads it, also one that the specification does not allow.
public struct PlainMessage {
    /// `StopTimeEvent`: seconds, and instants in seconds since 1970.
    public struct Event: Equatable {
        /// Seconds.
        public var delay: Int?
        /// An instant.
        public var time: Int?
        /// The planned instant of a run that the timetable does not have.
        public var scheduled: Int?

        /// An event with some of its fields.
        public init(delay: Int? = nil, time: Int? = nil, scheduled: Int? = nil) {
            (self.delay, self.time, self.scheduled) = (delay, time, scheduled)
        }

        /// The time that it predicts for a planned one.
        func predicts(_ planned: Int) -> Int? { time ?? delay.map { planned + $0 } }
    }

    /// `StopTimeUpdate`; `relation` is the number of its enumeration.
    public struct Entry: Equatable {
        /// `stop_sequence`
        public var sequence: Int?
        /// `stop_id`
        public var stop = ""
        /// The predicted arrival.
        public var arrival: Event?
        /// The predicted departure.
        public var departure: Event?
        /// `schedule_relationship`
        public var relation = 0
        /// `assigned_stop_id`
        public var assigned: String?

        /// An entry about nothing.
        public init() {}

        /// Whether it predicts: SCHEDULED or UNSCHEDULED.
        var isPrediction: Bool { relation == 0 || relation == 3 }
    }

    /// `TripUpdate`; days are `YYYYMMDD`, starts seconds of the service day.
    public struct Update {
        /// `trip_id`
        public var trip = ""
        /// `route_id`
        public var route = ""
        /// `start_time`
        public var start: Int?
        /// `start_date`
        public var day: Int?
        /// `schedule_relationship`
        public var relation = 0
        /// When it was measured.
        public var timestamp: Int?
        /// The delay of the whole trip.
        public var delay: Int?
        /// The updates of its calls.
        public var entries: [Entry] = []
        /// The identity of a duplicated trip.
        public var copy: (trip: String, day: Int, start: Int)?

        /// An update about nothing.
        public init() {}
    }

    /// `TripModifications`: what some trips do instead on some days.
    public struct Detour {
        /// A part of a trip that is replaced: from a call to another, both by `stop_sequence` or stop; without the other, stops are
        /// inserted before the call.
        public struct Change: Equatable {
            /// `start_stop_selector`
            public var first: Selector
            /// `end_stop_selector`
            public var last: Selector?
            /// `propagated_modification_delay`
            public var delay = 0
            /// `replacement_stops`: seconds after the arrival at the call before the change.
            public var stops: [Replacement] = []
        }

        /// A call of the timetable by its number, its stop or both.
        public struct Selector: Equatable {
            /// `stop_sequence`
            public var sequence: Int?
            /// `stop_id`
            public var stop = ""
        }

        /// A stop of a detour.
        public struct Replacement: Equatable {
            /// `stop_id`
            public var stop: String
            /// `travel_time_to_stop`
            public var seconds: Int
        }

        /// `trip_ids`
        public var trips: [String] = []
        /// `service_dates`
        public var days: [Int] = []
        /// `start_times`, in seconds of the service day.
        public var starts: [Int] = []
        /// `modifications`
        public var changes: [Change] = []
    }

    /// The time of its header.
    public var time: Int
    /// Its trip updates.
    public var updates: [Update]
    /// Its detours.
    public var detours: [Detour] = []

    /// A message of a time.
    public init(time: Int, updates: [Update]) { (self.time, self.updates) = (time, updates) }
}
