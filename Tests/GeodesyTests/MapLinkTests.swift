import Testing

@testable import Geodesy

/// Links as maps share them. The places of short links are those of their makers' own examples.
struct MapLinkTests {
    @Test(arguments: [
        "https://www.bing.com/maps?cp=46.5~7.25&lvl=15", "https://www.bing.com/maps?sp=point.46.5_7.25_Hut_",
        "https://mapy.cz/turisticka?x=7.25&y=46.5&z=15",
        "https://mapy.com/en/turisticka?x=7.2&y=46.4&z=15&source=coor&id=7.25,46.5",
        "https://wego.here.com/?map=46.5,7.25,15,normal", "https://share.here.com/l/46.5,7.25,Hut",
        "https://www.google.com/maps/place/46%C2%B030'00.0%22N+7%C2%B015'00.0%22E/@46.4,7.2,15z",
        "https://www.google.com/maps/search/46.5,+7.25",
        "https://www.google.com/maps/dir/46.4,7.2/46.5,7.25/",
        "https://www.google.com/maps?daddr=Bahnhofplatz+3@46.5,7.25",
        "https://maps.google.com/maps?q=N46.5,E7.25",
        "google.navigation:q=46.5,7.25", "comgooglemaps://?center=46.5,7.25",
        "om://map?v=1&ll=46.5,7.25", "https://openstreetmap.org/#11/46.5/7.25",
        "https://caltopo.com/map.html#ll=46.5,7.25&z=15", "https://2gis.com/?m=7.25%2C46.5%2F16",
        "lat=46.5 lon=7.25", "Lat: 46.5, Long: 7.25", "{\"lng\": 7.25, \"lat\": 46.5}", "(46.5, 7.25)",
        "{\"type\":\"Point\",\"coordinates\":[7.25,46.5]}", "４６．５，７．２５",
        "46 30 00.0 N 7 15 00.0 E", "46-30-00N 007-15-00E",
    ])
    func placesOfLinks(text: String) {
        guard case .coordinate(let place, _)? = CoordinateText.read(text) else {
            Issue.record("no coordinate: \(text)")
            return
        }
        #expect(abs(place.latitude - 46.5) < 1e-9 && abs(place.longitude - 7.25) < 1e-9, "\(text): \(place)")
    }

    @Test func theSwissMapHasEastingsAndNorthings() throws {
        for text in [
            "https://map.geo.admin.ch/?lang=de&E=2600000&N=1200000&zoom=8",
            "https://map.geo.admin.ch/#/map?lang=de&center=2600000,1200000&z=8",
        ] {
            let place = try #require(MapLink(text)?.coordinate)
            #expect(abs(place.latitude - 46.95108) < 1e-5 && abs(place.longitude - 7.43864) < 1e-5, "\(text)")
        }
    }

    @Test(arguments: [
        ("https://osm.org/go/0GAjIv8h", 50.67153, 6.09715, 1e-4, true),
        ("https://osm.org/go/0EEQhq--", 51.510, 0.054, 1e-2, true),
        ("https://osm.org/go/0OP4tR~rx?m", 51.876, 19.579, 1e-5, false),
        ("https://www.openstreetmap.org/go/0OP4tR@rx?m=", 51.876, 19.579, 1e-5, false),
        ("https://omaps.app/B4srhdHVVt/Name", 64.5234, 12.1234, 1e-5, false),
        ("ge0://BaF6F6F6F6", -20, 20, 1e-5, false),
    ])
    func shortLinks(text: String, latitude: Double, longitude: Double, within: Double, isView: Bool) throws {
        let link = try #require(MapLink(text))
        let place = try #require(link.coordinate)
        #expect(abs(place.latitude - latitude) < within, "\(place)")
        #expect(abs(place.longitude - longitude) < within, "\(place)")
        #expect(link.isView == isView)
    }

    @Test func aShortLinkHasAName() {
        #expect(MapLink("https://comaps.at/0pEr3T4p0T/JRA_Bike_Shop")?.name == "JRA Bike Shop")
    }

    @Test(arguments: [
        "https://maps.app.goo.gl/abc123", "https://mapy.cz/s/abc12", "https://osm.org/go/!!", "om://short",
        "[7.25, 46.5]", "https://www.bing.com/maps?sp=point.Hut",
    ])
    func linksWithoutAPlace(text: String) {
        if case .coordinate? = CoordinateText.read(text), !text.hasPrefix("[") {
            Issue.record("a coordinate in \(text)")
        }
        if text.hasPrefix("[") { #expect(CoordinateText.read(text) == nil) }
    }
}
