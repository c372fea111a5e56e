/// Messages of several feeds in one timetable.
extension RealtimeFeed {
    /// Merges the messages of several feeds.
    init(joining feeds: [RealtimeFeed]) {
        self = feeds.first ?? RealtimeFeed()
        for feed in feeds.dropFirst() {
            updates += feed.updates
            vehicles += feed.vehicles
            alerts += feed.alerts
            detours += feed.detours
            stops += feed.stops
            unread += feed.unread
        }
        time = feeds.compactMap(\.time).min()
        isDifferential = feeds.contains(where: \.isDifferential)
        headerDoubts = feeds.flatMap(\.headerDoubts)
        timetables = feeds.reduce(into: []) { $0.formUnion($1.timetables) }
    }

    /// The message with a prefix on the identifiers of trips, lines and stops.
    func prefixed(_ prefix: String) -> RealtimeFeed {
        func named(_ id: String) -> String { id.isEmpty ? id : prefix + id }
        func named(_ trip: TripDescriptor) -> TripDescriptor {
            var trip = trip
            (trip.trip, trip.route) = (named(trip.trip), named(trip.route))
            return trip
        }
        var feed = self
        for index in feed.updates.indices {
            feed.updates[index].trip = named(feed.updates[index].trip)
            feed.updates[index].copy = feed.updates[index].copy.map(named)
            for call in feed.updates[index].stops.indices {
                feed.updates[index].stops[call].stop = named(feed.updates[index].stops[call].stop)
                feed.updates[index].stops[call].assignedStop = feed.updates[index].stops[call].assignedStop
                    .map(named)
            }
        }
        for index in feed.vehicles.indices {
            feed.vehicles[index].trip = named(feed.vehicles[index].trip)
            feed.vehicles[index].stop = named(feed.vehicles[index].stop)
        }
        for index in feed.detours.indices {
            feed.detours[index].trips = feed.detours[index].trips.map(named)
            for change in feed.detours[index].changes.indices {
                let old = feed.detours[index].changes[change]
                feed.detours[index].changes[change].first.stop = named(old.first.stop)
                feed.detours[index].changes[change].last?.stop = named(old.last?.stop ?? "")
                for stop in old.stops.indices {
                    feed.detours[index].changes[change].stops[stop].stop = named(old.stops[stop].stop)
                }
            }
        }
        for index in feed.stops.indices {
            feed.stops[index].id = named(feed.stops[index].id)
            feed.stops[index].parent = named(feed.stops[index].parent)
        }
        for index in feed.alerts.indices {
            for entity in feed.alerts[index].entities.indices {
                let old = feed.alerts[index].entities[entity]
                feed.alerts[index].entities[entity].agency = named(old.agency)
                feed.alerts[index].entities[entity].route = named(old.route)
                feed.alerts[index].entities[entity].trip = named(old.trip)
                feed.alerts[index].entities[entity].stop = named(old.stop)
            }
        }
        return feed
    }
}
