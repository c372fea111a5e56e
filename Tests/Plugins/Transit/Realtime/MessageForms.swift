/// Some of the random messages in JSON and in the text form, written by Google's protobuf for Python.
enum MessageForms {
    /// The index in `EncodedMessages.all`, and the message in another form.
    static let all: [(index: Int, text: String)] = [
        (
            0,
            #"""
            {"header": {"gtfsRealtimeVersion": "2.0", "incrementality": "FULL_DATASET", "timestamp": "172146\#
            3076"}, "entity": [{"id": "e0", "alert": {"informedEntity": [{"trip": {"tripId": "trip:790228645\#
            "}}, {"trip": {"tripId": "trip:780892064", "scheduleRelationship": "DUPLICATED", "routeId": "r42\#
            "}}], "effect": "NO_SERVICE", "descriptionText": {"translation": [{"text": "description_text de\#
             \u2013 60", "language": "de"}]}}}, {"id": "e1", "alert": {"effect": "REDUCED_SERVICE", "headerT\#
            ext": {"translation": [{"text": "header_text fr \u2013 52", "language": "fr"}, {"text": "header_\#
            text en \u2013 51", "language": "en"}]}, "descriptionText": {"translation": [{"text": "descripti\#
            on_text en \u2013 50", "language": "en"}, {"text": "description_text fr \u2013 92", "language":\#
             "fr"}]}}}]}
            """#
        ),
        (
            0,
            #"""
            header { gtfs_realtime_version: "2.0" incrementality: FULL_DATASET timestamp: 1721463076 } entit\#
            y { id: "e0" alert { informed_entity { trip { trip_id: "trip:790228645" } } informed_entity { tr\#
            ip { trip_id: "trip:780892064" schedule_relationship: DUPLICATED route_id: "r42" } } effect: NO_\#
            SERVICE description_text { translation { text: "description_text de – 60" language: "de" } } } }\#
             entity { id: "e1" alert { effect: REDUCED_SERVICE header_text { translation { text: "header_tex\#
            t fr – 52" language: "fr" } translation { text: "header_text en – 51" language: "en" } } descrip\#
            tion_text { translation { text: "description_text en – 50" language: "en" } translation { text:\#
             "description_text fr – 92" language: "fr" } } } }
            """#
        ),
        (
            1,
            #"""
            {"header": {"gtfs_realtime_version": "1.0", "incrementality": "FULL_DATASET", "timestamp": "1772\#
            128961"}, "entity": [{"id": "e0", "vehicle": {"trip": {"trip_id": "trip:136103596", "start_date"\#
            : "20261113", "schedule_relationship": "CANCELED", "route_id": "r0"}, "position": {"latitude": 1\#
            8.0, "longitude": 144.25, "bearing": 95.5}, "timestamp": "1775091285", "stop_id": "s57", "vehicl\#
            e": {"label": "Wagen 89 \u00fc"}}}, {"id": "e1", "alert": {"active_period": [{"end": "1797228603\#
            "}, {}], "informed_entity": [{"agency_id": "A"}], "effect": "STOP_MOVED", "description_text": {"\#
            translation": [{"text": "description_text de \u2013 91", "language": "de"}]}}}, {"id": "e2", "al\#
            ert": {"active_period": [{"start": "1733748376", "end": "1754026470"}, {"end": "1741381753"}], "\#
            informed_entity": [{"route_id": "r0"}, {"trip": {"trip_id": "trip:48217239", "start_time": "02:1\#
            4:06", "schedule_relationship": "SCHEDULED", "route_id": "r29"}}], "description_text": {"transla\#
            tion": [{"text": "description_text de \u2013 84", "language": "de"}]}}}]}
            """#
        ),
        (
            1,
            #"""
            header { gtfs_realtime_version: "1.0" incrementality: FULL_DATASET timestamp: 1772128961 } entit\#
            y { id: "e0" vehicle { trip { trip_id: "trip:136103596" start_date: "20261113" schedule_relation\#
            ship: CANCELED route_id: "r0" } position { latitude: 18.0 longitude: 144.25 bearing: 95.5 } time\#
            stamp: 1775091285 stop_id: "s57" vehicle { label: "Wagen 89 \303\274" } } } entity { id: "e1" al\#
            ert { active_period { end: 1797228603 } active_period { } informed_entity { agency_id: "A" } eff\#
            ect: STOP_MOVED description_text { translation { text: "description_text de \342\200\223 91" lan\#
            guage: "de" } } } } entity { id: "e2" alert { active_period { start: 1733748376 end: 1754026470\#
             } active_period { end: 1741381753 } informed_entity { route_id: "r0" } informed_entity { trip {\#
             trip_id: "trip:48217239" start_time: "02:14:06" schedule_relationship: SCHEDULED route_id: "r29\#
            " } } description_text { translation { text: "description_text de \342\200\223 84" language: "de\#
            " } } } }
            """#
        ),
        (
            4,
            #"""
            {"header": {"gtfsRealtimeVersion": "2.0", "incrementality": "FULL_DATASET", "timestamp": "173397\#
            3973"}, "entity": [{"id": "e0", "vehicle": {"trip": {"tripId": "trip:348004910", "startTime": "1\#
            9:41:55", "startDate": "20261210"}, "position": {"latitude": -23.0, "longitude": 19.25}, "timest\#
            amp": "1715905750", "vehicle": {"label": "Wagen 21 \u00fc"}}}, {"id": "e1", "tripUpdate": {"trip\#
            ": {"tripId": "trip:744202243", "startDate": "20260224"}, "stopTimeUpdate": [{}, {"arrival": {},\#
             "stopId": "s42", "stopTimeProperties": {"assignedStopId": "p0"}}], "delay": 1549}}, {"id": "e2"\#
            , "alert": {"activePeriod": [{"start": "1788986001", "end": "1718632531"}, {"start": "1735024380\#
            "}], "informedEntity": [{"trip": {"tripId": "t6191\u00e9", "scheduleRelationship": "ADDED", "rou\#
            teId": "r9"}}], "effect": "STOP_MOVED", "headerText": {"translation": [{"text": "header_text de\#
             \u2013 73", "language": "de"}]}, "descriptionText": {"translation": [{"text": "description_text\#
             en \u2013 63", "language": "en"}, {"text": "description_text fr \u2013 85", "language": "fr"}]}\#
            }}]}
            """#
        ),
        (
            4,
            #"""
            header { gtfs_realtime_version: "2.0" incrementality: FULL_DATASET timestamp: 1733973973 } entit\#
            y { id: "e0" vehicle { trip { trip_id: "trip:348004910" start_time: "19:41:55" start_date: "2026\#
            1210" } position { latitude: -23.0 longitude: 19.25 } timestamp: 1715905750 vehicle { label: "Wa\#
            gen 21 ü" } } } entity { id: "e1" trip_update { trip { trip_id: "trip:744202243" start_date: "20\#
            260224" } stop_time_update { } stop_time_update { arrival { } stop_id: "s42" stop_time_propertie\#
            s { assigned_stop_id: "p0" } } delay: 1549 } } entity { id: "e2" alert { active_period { start:\#
             1788986001 end: 1718632531 } active_period { start: 1735024380 } informed_entity { trip { trip_\#
            id: "t6191é" schedule_relationship: ADDED route_id: "r9" } } effect: STOP_MOVED header_text { tr\#
            anslation { text: "header_text de – 73" language: "de" } } description_text { translation { text\#
            : "description_text en – 63" language: "en" } translation { text: "description_text fr – 85" lan\#
            guage: "fr" } } } }
            """#
        ),
    ]
}
