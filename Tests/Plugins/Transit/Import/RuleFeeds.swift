/// For each rule of the canonical validator a feed that breaks it: the tables that differ from a valid
/// feed. `== code` begins a feed, `-- table` replaces a table of the valid one, `-- table +` appends lines,
/// `-- table gone` removes it, and `-- station` uses the tables of a station with pathways.
enum RuleFeeds {
    static let text = #"""
        == attribution_without_role
        -- attributions.txt
        organization_name,is_producer
        Makers,0
        == bidirectional_exit_gate
        -- station
        -- pathways.txt +
        8,PL,EN,7,1
        == big_gap_in_service
        -- calendar_dates.txt
        service_id,date,exception_type
        S,20270301,1
        == block_trips_with_overlapping_stop_times
        -- trips.txt
        route_id,service_id,trip_id,block_id
        R,S,T,B
        R,S,U,B
        -- stop_times.txt +
        U,08:05:00,08:05:00,X,1
        U,08:15:00,08:15:00,Y,2
        == csv_parsing_failed
        -- levels.txt
        level_id,level_index
        L,"0
        == decreasing_or_equal_stop_time_distance
        -- stop_times.txt
        trip_id,arrival_time,departure_time,stop_id,stop_sequence,shape_dist_traveled
        T,08:00:00,08:00:00,X,1,0
        T,08:10:00,08:11:00,Y,2,5
        T,08:20:00,08:20:00,Z,3,5
        == decreasing_shape_distance
        -- shape
        -- shapes.txt +
        H,51.69,6.48,9,2
        == duplicate_fare_media
        -- fare_media.txt
        fare_media_id,fare_media_name,fare_media_type
        M,Card,2
        N,Card,2
        == duplicate_geo_json_key
        -- locations.geojson
        {"type":"FeatureCollection","features":[
        {"type":"Feature","id":"a","properties":{},"geometry":{"type":"Polygon","coordinates":[[[6,51],[7,51],[7,52],[6,51]]]}},
        {"type":"Feature","id":"a","properties":{},"geometry":{"type":"Polygon","coordinates":[[[6,51],[7,51],[7,52],[6,51]]]}}]}
        == duplicate_geography_id
        -- locations.geojson
        {"type":"FeatureCollection","features":[
        {"type":"Feature","id":"X","properties":{},"geometry":{"type":"Polygon","coordinates":[[[6,51],[7,51],[7,52],[6,51]]]}}]}
        == duplicate_key
        -- agency.txt +
        A,A,http://a.example,Europe/Berlin
        == duplicate_route_name
        -- routes.txt +
        Q,1,3,A
        == duplicated_column
        -- routes.txt
        route_id,route_short_name,route_type,agency_id,route_type
        R,1,3,A,3
        == empty_column_name
        -- routes.txt
        route_id,route_short_name,route_type,agency_id,
        R,1,3,A,
        == empty_file
        -- levels.txt
        == empty_row
        -- stops.txt +
        <blanks>
        == equal_shape_distance_diff_coordinates
        -- shape
        -- shapes.txt +
        H,51.69,6.48,9,5
        == equal_shape_distance_diff_coordinates_distance_below_threshold
        -- shape
        -- shapes.txt +
        H,51.680005,6.47,9,5
        == equal_shape_distance_same_coordinates
        -- shape
        -- shapes.txt +
        H,51.68,6.47,9,5
        == expired_calendar
        -- calendar.txt +
        U,1,1,1,1,1,1,1,20250101,20250630
        == fare_product_with_multiple_default_rider_categories
        -- rider_categories.txt
        rider_category_id,rider_category_name,is_default_fare_category
        a,Adult,1
        b,Child,1
        -- fare_products.txt
        fare_product_id,rider_category_id,amount,currency
        P,a,2.00,EUR
        P,b,1.00,EUR
        == fare_transfer_rule_duration_limit_type_without_duration_limit
        -- fare_transfer_rules.txt
        duration_limit_type,fare_transfer_type
        1,0
        == fare_transfer_rule_duration_limit_without_type
        -- fare_transfer_rules.txt
        duration_limit,fare_transfer_type
        60,0
        == fare_transfer_rule_invalid_transfer_count
        -- legs
        -- fare_transfer_rules.txt
        from_leg_group_id,to_leg_group_id,transfer_count,fare_transfer_type
        g,g,0,0
        == fare_transfer_rule_with_forbidden_transfer_count
        -- legs
        -- fare_transfer_rules.txt
        from_leg_group_id,to_leg_group_id,transfer_count,fare_transfer_type
        g,h,1,0
        == fare_transfer_rule_without_transfer_count
        -- legs
        -- fare_transfer_rules.txt
        from_leg_group_id,to_leg_group_id,fare_transfer_type
        g,g,0
        == fast_travel_between_consecutive_stops
        -- stops.txt
        stop_id,stop_name,stop_lat,stop_lon
        X,Xanten,51.66,6.45
        Y,Ypern,50.85,2.88
        Z,Zell,50.02,7.18
        == fast_travel_between_far_stops
        -- stops.txt
        stop_id,stop_name,stop_lat,stop_lon
        X,Xanten,51.66,6.45
        Y,Ypern,51.72,6.45
        Z,Zell,51.78,6.45
        -- stop_times.txt
        trip_id,arrival_time,departure_time,stop_id,stop_sequence
        T,08:00:00,08:00:00,X,1
        T,,,Y,2
        T,08:01:00,08:01:00,Z,3
        == feed_expiration_date30_days
        -- feed_info.txt
        feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date,feed_end_date,feed_version,feed_contact_url
        A,http://a.example,en,20260101,20260301,1,http://a.example
        == feed_expiration_date7_days
        -- feed_info.txt
        feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date,feed_end_date,feed_version,feed_contact_url
        A,http://a.example,en,20260101,20260210,1,http://a.example
        == feed_info_lang_and_agency_lang_mismatch
        -- agency.txt
        agency_id,agency_name,agency_url,agency_timezone,agency_lang
        A,A,http://a.example,Europe/Berlin,de
        == feed_valid_beyond_total_service_window
        -- feed_info.txt
        feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date,feed_end_date,feed_version,feed_contact_url
        A,http://a.example,en,20260101,20270301,1,http://a.example
        == forbidden_arrival_or_departure_time
        -- flex
        -- stop_times.txt +
        T,08:30:00,08:30:00,,zone,4,08:00:00,09:00:00,2,2
        == forbidden_continuous_pickup_drop_off
        -- flex
        -- routes.txt
        route_id,route_short_name,route_type,agency_id,continuous_pickup
        R,1,3,A,0
        -- stop_times.txt +
        T,,,,zone,4,08:00:00,09:00:00,2,2
        == forbidden_drop_off_type
        -- flex
        -- stop_times.txt +
        T,,,,zone,4,08:00:00,09:00:00,2,0
        == forbidden_geography_id
        -- flex
        -- stop_times.txt +
        T,,,X,zone,4,08:00:00,09:00:00,2,2
        == forbidden_pickup_type
        -- flex
        -- stop_times.txt +
        T,,,,zone,4,08:00:00,09:00:00,0,2
        == forbidden_prior_day_booking_field_value
        -- booking
        -- booking_rules.txt +
        b,2,30,,,,,3,12:00:00
        == forbidden_prior_notice_start_day
        -- booking
        -- booking_rules.txt +
        b,1,30,90,2,08:00:00,,,
        == forbidden_prior_notice_start_time
        -- booking
        -- booking_rules.txt +
        b,1,30,,,08:00:00,,,
        == forbidden_real_time_booking_field_value
        -- booking
        -- booking_rules.txt +
        b,0,30,,,,,,
        == forbidden_same_day_booking_field_value
        -- booking
        -- booking_rules.txt +
        b,1,30,,,,,1,
        == forbidden_shape_dist_traveled
        -- flex
        -- stop_times.txt
        trip_id,arrival_time,departure_time,stop_id,location_id,stop_sequence,start_pickup_drop_off_window,end_pickup_drop_off_window,pickup_type,drop_off_type,shape_dist_traveled
        T,,,,zone,4,08:00:00,09:00:00,2,2,7
        == foreign_key_violation
        -- trips.txt +
        R,S0,U
        == future_calendar
        -- calendar.txt
        service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
        S,1,1,1,1,1,1,1,20260301,20261231
        == future_feed
        -- feed_info.txt
        feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date,feed_end_date,feed_version,feed_contact_url
        A,http://a.example,en,20260207,20261231,1,http://a.example
        == geo_json_duplicated_element
        -- locations.geojson
        {"type":"FeatureCollection","features":[
        {"type":"Feature","id":"a","id":"b","properties":{},"geometry":{"type":"Polygon","coordinates":[[[6,51],[7,51],[7,52],[6,51]]]}}]}
        == geo_json_unknown_element
        -- locations.geojson
        {"type":"FeatureCollection","features":[
        {"type":"Feature","id":"a","color":"red","properties":{},"geometry":{"type":"Polygon","coordinates":[[[6,51],[7,51],[7,52],[6,51]]]}}]}
        == inconsistent_agency_lang
        -- agency.txt
        agency_id,agency_name,agency_url,agency_timezone,agency_lang
        A,A,http://a.example,Europe/Berlin,de
        B,B,http://b.example,Europe/Berlin,fr
        == inconsistent_agency_timezone
        -- agency.txt +
        B,B,http://b.example,Europe/Paris
        == inconsistent_route_type_for_block_id
        -- routes.txt +
        Q,2,2,A
        -- trips.txt
        route_id,service_id,trip_id,block_id
        R,S,T,B
        Q,S,U,B
        == inconsistent_route_type_for_in_seat_transfer
        -- routes.txt +
        Q,2,2,A
        -- trips.txt +
        Q,S,U
        -- stop_times.txt +
        U,09:00:00,09:00:00,Z,1
        U,09:10:00,09:10:00,X,2
        -- transfers.txt
        from_stop_id,to_stop_id,from_trip_id,to_trip_id,transfer_type
        Z,Z,T,U,4
        == invalid_character
        -- stops.txt +
        N,Bahnh�f,51.66,6.45
        == invalid_color
        -- routes.txt
        route_id,route_short_name,route_type,agency_id,route_color
        R,1,3,A,blue
        == invalid_currency
        -- fare_attributes.txt
        fare_id,price,currency_type,payment_method,transfers,agency_id
        F,2,EURO,0,0,A
        == invalid_currency_amount
        -- fare_products.txt
        fare_product_id,amount,currency
        P,2.5,EUR
        == invalid_date
        -- calendar.txt +
        U,1,1,1,1,1,1,1,20260230,20261231
        == invalid_email
        -- agency.txt
        agency_id,agency_name,agency_url,agency_timezone,agency_email
        A,A,http://a.example,Europe/Berlin,nobody
        == invalid_float
        -- stops.txt +
        N,North,north,6
        == invalid_geometry
        -- locations.geojson
        {"type":"FeatureCollection","features":[
        {"type":"Feature","id":"a","properties":{},"geometry":{"type":"Polygon","coordinates":[[[6,51],[7,52],[7,51],[6,52],[6,51]]]}}]}
        == invalid_integer
        -- routes.txt +
        Q,2,bus,A
        == invalid_language_code
        -- agency.txt
        agency_id,agency_name,agency_url,agency_timezone,agency_lang
        A,A,http://a.example,Europe/Berlin,de_DE
        == invalid_pickup_drop_off_window
        -- flex
        -- stop_times.txt +
        T,,,,zone,4,09:00:00,08:00:00,2,2
        == invalid_prior_notice_duration_min
        -- booking
        -- booking_rules.txt +
        b,1,30,20,,,,,
        == invalid_row_length
        -- calendar_dates.txt
        service_id,date,exception_type
        S,20260301
        == invalid_time
        -- stop_times.txt +
        T,7:5,7:5,X,2
        == invalid_timezone
        -- agency.txt +
        B,B,http://b.example,Nowhere/Nowhere
        == invalid_url
        -- routes.txt
        route_id,route_short_name,route_type,agency_id,route_url
        R,1,3,A,nowhere
        == leading_or_trailing_whitespaces
        -- stops.txt +
        N," North ",51.66,6.45
        == location_with_unexpected_stop_time
        -- station
        -- stop_times.txt +
        T,08:30:00,08:30:00,ST,4
        == location_without_parent_station
        -- station
        -- stops.txt +
        E2,Door,51.7,6.5,2,,,
        == malformed_json
        -- locations.geojson
        {"type":
        == missing_bike_allowance
        -- routes.txt
        route_id,route_short_name,route_type,agency_id
        R,1,4,A
        == missing_calendar_and_calendar_date_files
        -- calendar.txt gone
        == missing_feed_contact_email_and_url
        -- feed_info.txt
        feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date,feed_end_date,feed_version
        A,http://a.example,en,20260101,20261231,1
        == missing_feed_info_date
        -- feed_info.txt
        feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date,feed_version,feed_contact_url
        A,http://a.example,en,20260101,1,http://a.example
        == missing_level_id
        -- station
        -- pathways.txt +
        8,PL,EN,5,1
        == missing_pickup_drop_off_booking_rule_id
        -- flex
        -- booking
        -- stop_times.txt +
        T,,,,zone,4,08:00:00,09:00:00,2,2
        == missing_pickup_or_drop_off_window
        -- flex
        -- stop_times.txt +
        T,,,,zone,4,08:00:00,,2,2
        == missing_prior_notice_duration_min
        -- booking
        -- booking_rules.txt +
        b,1,,,,,,,
        == missing_prior_notice_last_day
        -- booking
        -- booking_rules.txt +
        b,2,,,,,,,12:00:00
        == missing_prior_notice_last_time
        -- booking
        -- booking_rules.txt +
        b,2,,,,,,3,
        == missing_prior_notice_start_time
        -- booking
        -- booking_rules.txt +
        b,1,30,,2,,,,
        == missing_recommended_field
        -- fare_media.txt
        fare_media_id,fare_media_name,fare_media_type
        M,,2
        == missing_recommended_file
        -- feed_info.txt gone
        == missing_required_agency_id
        -- agency.txt +
        B,B,http://b.example,Europe/Berlin
        -- routes.txt +
        Q,2,3,
        == missing_required_column
        -- trips.txt
        route_id,service_id
        R,S
        == missing_required_element
        -- locations.geojson
        {"type":"FeatureCollection","features":[{"type":"Feature","id":"a","properties":{}}]}
        == missing_required_field
        -- stops.txt +
        ,Nameless,51,6
        == missing_required_file
        -- routes.txt gone
        == missing_stop_name
        -- stops.txt +
        N,,51.66,6.45
        == missing_stop_times_record
        -- flex
        -- trips.txt +
        R,S,U
        -- stop_times.txt +
        U,,,,zone,4,08:00:00,09:00:00,2,2
        == missing_timepoint_value
        -- stop_times.txt
        trip_id,arrival_time,departure_time,stop_id,stop_sequence,timepoint
        T,08:00:00,08:00:00,X,1,1
        T,08:10:00,08:11:00,Y,2,
        T,08:20:00,08:20:00,Z,3,1
        == missing_trip_edge
        -- stop_times.txt +
        T,,,X,4
        == mixed_case_recommended_field
        -- stops.txt +
        N,NORTH ROAD,51.66,6.45
        == more_than_one_entity
        -- feed_info.txt +
        B,http://b.example,en,20260101,20261231,1,http://b.example
        == new_line_in_value
        -- stops.txt +
        N,"North
        road",51.66,6.45
        == non_ascii_or_non_printable_char
        -- stops.txt +
        Nö,North,51.66,6.45
        == number_out_of_range
        -- stops.txt +
        N,North,91,6
        == overlapping_frequency
        -- frequencies.txt
        trip_id,start_time,end_time,headway_secs
        T,08:00:00,10:00:00,600
        T,09:00:00,11:00:00,600
        == overlapping_zone_and_pickup_drop_off_window
        -- flex
        -- stop_times.txt +
        T,,,,zone,4,08:00:00,09:00:00,2,2
        T,,,,other,5,08:30:00,09:30:00,2,2
        == pathway_dangling_generic_node
        -- station
        -- stops.txt +
        N9,Corner,51.7,6.5,3,ST,,
        -- pathways.txt +
        9,N9,NO,1,1
        == pathway_loop
        -- station
        -- pathways.txt +
        8,NO,NO,1,0
        == pathway_to_platform_with_boarding_areas
        -- station
        -- stops.txt +
        B1,Area,51.7,6.5,4,PL,,
        == pathway_to_stop_with_access_outside_of_station_pathways
        -- station
        -- stops.txt
        stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,stop_access
        X,Xanten,51.66,6.45,,,
        Y,Ypern,51.67,6.46,,,
        Z,Zell,51.68,6.47,,,
        ST,Station,51.7,6.5,1,,
        PL,Station,51.7,6.5,0,ST,1
        EN,Door,51.7,6.5,2,ST,
        NO,Corner,51.7,6.5,3,ST,
        == pathway_to_wrong_location_type
        -- station
        -- pathways.txt +
        8,EN,ST,1,0
        == pathway_unreachable_location
        -- station
        -- stops.txt +
        P2,Station,51.7,6.5,0,ST,,
        == platform_without_parent_station
        -- stops.txt
        stop_id,stop_name,stop_lat,stop_lon,platform_code
        X,Xanten,51.66,6.45,1
        Y,Ypern,51.67,6.46,
        Z,Zell,51.68,6.47,
        == point_near_origin
        -- stops.txt +
        N,North,0.5,0.5
        == point_near_pole
        -- stops.txt +
        N,North,89.5,0.5
        == prior_notice_last_day_after_start_day
        -- booking
        -- booking_rules.txt +
        b,2,,,2,08:00:00,,3,12:00:00
        == route_both_short_and_long_name_missing
        -- routes.txt
        route_id,route_short_name,route_type,agency_id
        R,,3,A
        == route_color_contrast
        -- routes.txt
        route_id,route_short_name,route_type,agency_id,route_color,route_text_color
        R,1,3,A,FFFFFF,FFFF00
        == route_long_name_contains_short_name
        -- routes.txt
        route_id,route_short_name,route_long_name,route_type,agency_id
        R,1,1 Xanten,3,A
        == route_networks_specified_in_more_than_one_file
        -- routes.txt
        route_id,route_short_name,route_type,agency_id,network_id
        R,1,3,A,n
        -- networks.txt
        network_id,network_name
        n,Net
        == route_short_name_too_long
        -- routes.txt
        route_id,route_short_name,route_type,agency_id
        R,a Very long name,3,A
        == same_name_and_description_for_route
        -- routes.txt
        route_id,route_short_name,route_desc,route_type,agency_id
        R,Ring,Ring,3,A
        == same_name_and_description_for_stop
        -- stops.txt
        stop_id,stop_name,stop_desc,stop_lat,stop_lon
        X,Xanten,Xanten,51.66,6.45
        Y,Ypern,,51.67,6.46
        Z,Zell,,51.68,6.47
        == same_route_and_agency_url
        -- routes.txt
        route_id,route_short_name,route_type,agency_id,route_url
        R,1,3,A,http://A.example
        == same_stop_and_agency_url
        -- stops.txt
        stop_id,stop_name,stop_lat,stop_lon,stop_url
        X,Xanten,51.66,6.45,http://a.example
        Y,Ypern,51.67,6.46,
        Z,Zell,51.68,6.47,
        == same_stop_and_route_url
        -- routes.txt
        route_id,route_short_name,route_type,agency_id,route_url
        R,1,3,A,http://a.example/r
        -- stops.txt
        stop_id,stop_name,stop_lat,stop_lon,stop_url
        X,Xanten,51.66,6.45,http://a.example/r
        Y,Ypern,51.67,6.46,
        Z,Zell,51.68,6.47,
        == service_extends_far_in_the_future
        -- calendar.txt
        service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
        S,1,1,1,1,1,1,1,20260101,20280301
        == service_has_no_active_day_of_the_week
        -- calendar.txt +
        U,0,0,0,0,0,0,0,20260101,20261231
        == service_window_outside_feed_period
        -- calendar.txt
        service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
        S,1,1,1,1,1,1,1,20260101,20270101
        == single_shape_point
        -- shapes.txt
        shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence
        H,51.66,6.45,1
        == start_and_end_range_equal
        -- frequencies.txt
        trip_id,start_time,end_time,headway_secs
        T,08:00:00,08:00:00,600
        == start_and_end_range_out_of_order
        -- stop_times.txt +
        T,08:35:00,08:30:00,X,4
        == station_with_parent_station
        -- station
        -- stops.txt +
        S2,Station,51.7,6.5,1,ST,,
        == stop_access_specified_for_incorrect_location
        -- stops.txt
        stop_id,stop_name,stop_lat,stop_lon,location_type,stop_access
        X,Xanten,51.66,6.45,,
        Y,Ypern,51.67,6.46,,
        Z,Zell,51.68,6.47,,
        ST,Station,51.68,6.47,1,1
        == stop_access_specified_for_stop_with_no_parent_station
        -- stops.txt
        stop_id,stop_name,stop_lat,stop_lon,stop_access
        X,Xanten,51.66,6.45,1
        Y,Ypern,51.67,6.46,
        Z,Zell,51.68,6.47,
        == stop_has_too_many_matches_for_shape
        -- shape
        -- shapes.txt
        zigzag
        == stop_time_timepoint_without_times
        -- stop_times.txt
        trip_id,arrival_time,departure_time,stop_id,stop_sequence,timepoint
        T,08:00:00,08:00:00,X,1,1
        T,,,Y,2,1
        T,08:20:00,08:20:00,Z,3,1
        == stop_time_with_arrival_before_previous_departure_time
        -- stop_times.txt +
        T,08:05:00,08:05:00,X,4
        == stop_time_with_only_arrival_or_departure_time
        -- stop_times.txt +
        T,08:30:00,,X,4
        T,08:40:00,08:40:00,Y,5
        == stop_too_far_from_shape
        -- shape
        -- stops.txt
        stop_id,stop_name,stop_lat,stop_lon
        X,Xanten,51.66,6.45
        Y,Ypern,51.67,6.47
        Z,Zell,51.68,6.47
        == stop_too_far_from_shape_using_user_distance
        -- shape
        -- stop_times.txt
        trip_id,arrival_time,departure_time,stop_id,stop_sequence,shape_dist_traveled
        T,08:00:00,08:00:00,X,1,0
        T,08:10:00,08:11:00,Y,2,4
        T,08:20:00,08:20:00,Z,3,5
        == stop_without_location
        -- stops.txt +
        N,North,,
        == stop_without_stop_time
        -- stops.txt +
        N,North,51.66,6.45
        == stop_without_zone_id
        -- stops.txt
        stop_id,stop_name,stop_lat,stop_lon,zone_id
        X,Xanten,51.66,6.45,z
        Y,Ypern,51.67,6.46,
        Z,Zell,51.68,6.47,z
        -- fare_attributes.txt
        fare_id,price,currency_type,payment_method,transfers,agency_id
        F,2,EUR,0,0,A
        -- fare_rules.txt
        fare_id,route_id,origin_id
        F,R,z
        == stops_match_shape_out_of_order
        -- shape
        -- stop_times.txt
        trip_id,arrival_time,departure_time,stop_id,stop_sequence
        T,08:00:00,08:00:00,Z,1
        T,08:10:00,08:11:00,Y,2
        T,08:20:00,08:20:00,X,3
        == timeframe_only_start_or_end_time_specified
        -- timeframes.txt
        timeframe_group_id,start_time,end_time,service_id
        G,08:00:00,,S
        == timeframe_overlap
        -- timeframes.txt
        timeframe_group_id,start_time,end_time,service_id
        G,08:00:00,10:00:00,S
        G,09:00:00,11:00:00,S
        == timeframe_start_or_end_time_greater_than_twenty_four_hours
        -- timeframes.txt
        timeframe_group_id,start_time,end_time,service_id
        G,08:00:00,25:00:00,S
        == transfer_distance_above_2_km
        -- transfers.txt
        from_stop_id,to_stop_id,transfer_type
        X,Z,0
        == transfer_distance_too_large
        -- stops.txt +
        N,North,51.86,6.45
        -- transfers.txt
        from_stop_id,to_stop_id,transfer_type
        X,N,0
        == transfer_with_invalid_stop_location_type
        -- station
        -- transfers.txt
        from_stop_id,to_stop_id,transfer_type
        EN,PL,0
        == transfer_with_invalid_trip_and_route
        -- routes.txt +
        Q,2,3,A
        -- transfers.txt
        from_trip_id,to_trip_id,from_route_id,transfer_type
        T,T,Q,4
        == transfer_with_invalid_trip_and_stop
        -- stops.txt +
        N,North,51.66,6.45
        -- transfers.txt
        from_stop_id,to_stop_id,from_trip_id,to_trip_id,transfer_type
        N,X,T,T,4
        == transfer_with_suspicious_mid_trip_in_seat
        -- transfers.txt
        from_stop_id,to_stop_id,from_trip_id,to_trip_id,transfer_type
        Y,X,T,T,4
        == translation_foreign_key_violation
        -- translations.txt
        table_name,field_name,language,translation,record_id
        stops,stop_name,de,Nirgends,NN
        == translation_unexpected_value
        -- translations.txt
        table_name,field_name,language,translation,record_id,field_value
        stops,stop_name,de,a,X,b
        == translation_unknown_table_name
        -- translations.txt
        table_name,field_name,language,translation,field_value
        places,name,de,Ypern,Ypres
        == trip_coverage_not_active_for_next7_days
        -- calendar.txt
        service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
        S,1,1,1,1,1,1,1,20260101,20260212
        == trip_distance_exceeds_shape_distance
        -- shape
        -- stops.txt
        stop_id,stop_name,stop_lat,stop_lon
        X,Xanten,51.66,6.45
        Y,Ypern,51.67,6.46
        Z,Zell,51.6802,6.4702
        -- stop_times.txt
        trip_id,arrival_time,departure_time,stop_id,stop_sequence,shape_dist_traveled
        T,08:00:00,08:00:00,X,1,0
        T,08:10:00,08:11:00,Y,2,3
        T,08:20:00,08:20:00,Z,3,6
        == trip_distance_exceeds_shape_distance_below_threshold
        -- shape
        -- stop_times.txt
        trip_id,arrival_time,departure_time,stop_id,stop_sequence,shape_dist_traveled
        T,08:00:00,08:00:00,X,1,0
        T,08:10:00,08:11:00,Y,2,3
        T,08:20:00,08:20:00,Z,3,6
        == trip_headsign_matches_intermediate_stop
        -- trips.txt
        route_id,service_id,trip_id,trip_headsign
        R,S,T,Ypern
        == trip_with_shape_dist_traveled_but_no_shape_distances
        -- shape
        -- shapes.txt
        shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence
        H,51.66,6.45,1
        H,51.68,6.47,2
        -- stop_times.txt
        trip_id,arrival_time,departure_time,stop_id,stop_sequence,shape_dist_traveled
        T,08:00:00,08:00:00,X,1,0
        T,08:10:00,08:11:00,Y,2,3
        T,08:20:00,08:20:00,Z,3,5
        == unexpected_enum_value
        -- routes.txt
        route_id,route_short_name,route_type,agency_id
        R,1,700,A
        == unknown_column
        -- routes.txt
        route_id,route_short_name,route_type,agency_id,mood
        R,1,3,A,good
        == unknown_file
        -- notes.txt
        anything
        == unsorted_stop_times
        -- stop_times.txt
        trip_id,arrival_time,departure_time,stop_id,stop_sequence
        T,08:10:00,08:11:00,Y,2
        T,08:00:00,08:00:00,X,1
        T,08:20:00,08:20:00,Z,3
        == unsupported_feature_type
        -- locations.geojson
        {"type":"FeatureCollection","features":[
        {"type":"Zone","id":"a","properties":{},"geometry":{"type":"Polygon","coordinates":[[[6,51],[7,51],[7,52],[6,51]]]}}]}
        == unsupported_geo_json_type
        -- locations.geojson
        {"type":"Feature","features":[]}
        == unsupported_geometry_type
        -- locations.geojson
        {"type":"FeatureCollection","features":[
        {"type":"Feature","id":"a","properties":{},"geometry":{"type":"Point","coordinates":[6,51]}}]}
        == unusable_trip
        -- trips.txt +
        R,S,U
        -- stop_times.txt +
        U,09:00:00,09:00:00,X,1
        == unused_shape
        -- shapes.txt
        shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence
        H,51.66,6.45,1
        H,51.68,6.47,2
        == unused_station
        -- station
        -- stops.txt +
        S2,Empty,51.7,6.5,1,,,
        == unused_trip
        -- trips.txt +
        R,S,U
        == wrong_parent_location_type
        -- station
        -- stops.txt +
        P3,Platform,51.7,6.5,0,PL,,
        """#

    /// Tables that several feeds use.
    static let parts: [String: [String: String]] = [
        "station": [
            "stops.txt": """
            stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,level_id,zone_id
            X,Xanten,51.66,6.45,,,,
            Y,Ypern,51.67,6.46,,,,
            Z,Zell,51.68,6.47,,,,
            ST,Station,51.7,6.5,1,,,
            PL,Station,51.7,6.5,0,ST,,z
            EN,Door,51.7,6.5,2,ST,,
            NO,Corner,51.7,6.5,3,ST,,

            """,
            "pathways.txt": """
            pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional
            1,EN,NO,1,1
            2,NO,PL,1,1

            """,
        ],
        "shape": [
            "trips.txt": "route_id,service_id,trip_id,shape_id\nR,S,T,H\n",
            "shapes.txt": """
            shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence,shape_dist_traveled
            H,51.66,6.45,1,0
            H,51.67,6.46,2,3
            H,51.68,6.47,3,5

            """,
        ],
        "legs": [
            "fare_products.txt": "fare_product_id,amount,currency\nP,2.00,EUR\n",
            "fare_leg_rules.txt": "leg_group_id,fare_product_id,from_area_id\ng,P,\nh,P,a\n",
            "areas.txt": "area_id,area_name\na,Area\n",
        ],
        "flex": [
            "stop_times.txt": """
            trip_id,arrival_time,departure_time,stop_id,location_id,stop_sequence,start_pickup_drop_off_window,\
            end_pickup_drop_off_window,pickup_type,drop_off_type
            T,08:00:00,08:00:00,X,,1,,,,
            T,08:10:00,08:11:00,Y,,2,,,,
            T,08:20:00,08:20:00,Z,,3,,,,

            """,
            "locations.geojson": """
            {"type":"FeatureCollection","features":[
            {"type":"Feature","id":"zone","properties":{},"geometry":{"type":"Polygon",
            "coordinates":[[[6,51],[7,51],[7,52],[6,52],[6,51]]]}},
            {"type":"Feature","id":"other","properties":{},"geometry":{"type":"Polygon",
            "coordinates":[[[6.5,51.5],[7.5,51.5],[7.5,52.5],[6.5,52.5],[6.5,51.5]]]}}]}
            """,
        ],
        "booking": [
            "booking_rules.txt":
                "booking_rule_id,booking_type,prior_notice_duration_min,prior_notice_duration_max,prior_notice_start_day,"
                + "prior_notice_start_time,prior_notice_service_id,prior_notice_last_day,prior_notice_last_time\n"
        ],
    ]
}
