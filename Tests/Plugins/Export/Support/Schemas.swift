import Foundation
import PluginTestKit
import Testing

/// The rules of GPX 1.1 and KML 2.2 as far as exports use them, written down as XML Schemas of our own, so that
/// `xmllint` can check files against them without the network.
enum Schemas {
    /// GPX 1.1: elements, their order and their types, after http://www.topografix.com/GPX/1/1/.
    static let gpx = """
        <schema xmlns="http://www.w3.org/2001/XMLSchema" xmlns:g="http://www.topografix.com/GPX/1/1"
          targetNamespace="http://www.topografix.com/GPX/1/1" elementFormDefault="qualified">
        <element name="gpx"><complexType><sequence>
          <element name="metadata" type="g:metadata" minOccurs="0"/>
          <element name="wpt" type="g:point" minOccurs="0" maxOccurs="unbounded"/>
          <element name="rte" type="g:route" minOccurs="0" maxOccurs="unbounded"/>
          <element name="trk" type="g:track" minOccurs="0" maxOccurs="unbounded"/>
          <element name="extensions" type="g:extensions" minOccurs="0"/>
        </sequence><attribute name="version" type="string" use="required" fixed="1.1"/>
        <attribute name="creator" type="string" use="required"/></complexType></element>
        <complexType name="metadata"><sequence>
          <element name="name" type="string" minOccurs="0"/><element name="desc" type="string" minOccurs="0"/>
          <element name="author" minOccurs="0"><complexType><sequence>
            <element name="name" type="string" minOccurs="0"/>
            <element name="email" minOccurs="0"><complexType><attribute name="id" type="string" use="required"/>
              <attribute name="domain" type="string" use="required"/></complexType></element>
            <element name="link" type="g:link" minOccurs="0"/></sequence></complexType></element>
          <element name="copyright" minOccurs="0"><complexType><sequence>
            <element name="year" type="gYear" minOccurs="0"/><element name="license" type="anyURI" minOccurs="0"/></sequence>
            <attribute name="author" type="string" use="required"/></complexType></element>
          <element name="link" type="g:link" minOccurs="0" maxOccurs="unbounded"/>
          <element name="time" type="dateTime" minOccurs="0"/><element name="keywords" type="string" minOccurs="0"/>
        </sequence></complexType>
        <group name="head"><sequence>
          <element name="name" type="string" minOccurs="0"/><element name="cmt" type="string" minOccurs="0"/>
          <element name="desc" type="string" minOccurs="0"/><element name="src" type="string" minOccurs="0"/>
          <element name="link" type="g:link" minOccurs="0" maxOccurs="unbounded"/>
          <element name="number" type="nonNegativeInteger" minOccurs="0"/>
          <element name="type" type="string" minOccurs="0"/>
          <element name="extensions" type="g:extensions" minOccurs="0"/>
        </sequence></group>
        <complexType name="route"><sequence><group ref="g:head"/>
          <element name="rtept" type="g:point" minOccurs="0" maxOccurs="unbounded"/></sequence></complexType>
        <complexType name="track"><sequence><group ref="g:head"/>
          <element name="trkseg" minOccurs="0" maxOccurs="unbounded"><complexType><sequence>
            <element name="trkpt" type="g:point" minOccurs="0" maxOccurs="unbounded"/>
            <element name="extensions" type="g:extensions" minOccurs="0"/></sequence></complexType></element>
        </sequence></complexType>
        <complexType name="point"><sequence>
          <element name="ele" type="decimal" minOccurs="0"/><element name="time" type="dateTime" minOccurs="0"/>
          <element name="magvar" type="g:degrees" minOccurs="0"/>
          <element name="geoidheight" type="decimal" minOccurs="0"/>
          <element name="name" type="string" minOccurs="0"/><element name="cmt" type="string" minOccurs="0"/>
          <element name="desc" type="string" minOccurs="0"/><element name="src" type="string" minOccurs="0"/>
          <element name="link" type="g:link" minOccurs="0" maxOccurs="unbounded"/>
          <element name="sym" type="string" minOccurs="0"/><element name="type" type="string" minOccurs="0"/>
          <element name="fix" type="g:fix" minOccurs="0"/>
          <element name="sat" type="nonNegativeInteger" minOccurs="0"/>
          <element name="hdop" type="decimal" minOccurs="0"/><element name="vdop" type="decimal" minOccurs="0"/>
          <element name="pdop" type="decimal" minOccurs="0"/>
          <element name="ageofdgpsdata" type="decimal" minOccurs="0"/>
          <element name="dgpsid" type="g:station" minOccurs="0"/>
          <element name="extensions" type="g:extensions" minOccurs="0"/>
        </sequence><attribute name="lat" type="g:latitude" use="required"/>
        <attribute name="lon" type="g:longitude" use="required"/></complexType>
        <complexType name="link"><sequence><element name="text" type="string" minOccurs="0"/>
          <element name="type" type="string" minOccurs="0"/></sequence>
          <attribute name="href" type="anyURI" use="required"/></complexType>
        <complexType name="extensions"><sequence>
          <any namespace="##other" processContents="lax" minOccurs="0" maxOccurs="unbounded"/></sequence></complexType>
        <simpleType name="degrees"><restriction base="decimal"><minInclusive value="0"/>
          <maxExclusive value="360"/></restriction></simpleType>
        <simpleType name="fix"><restriction base="string"><enumeration value="none"/><enumeration value="2d"/>
          <enumeration value="3d"/><enumeration value="dgps"/><enumeration value="pps"/></restriction></simpleType>
        <simpleType name="station"><restriction base="integer"><minInclusive value="0"/>
          <maxInclusive value="1023"/></restriction></simpleType>
        <simpleType name="latitude"><restriction base="decimal"><minInclusive value="-90"/>
          <maxInclusive value="90"/></restriction></simpleType>
        <simpleType name="longitude"><restriction base="decimal"><minInclusive value="-180"/>
          <maxExclusive value="180"/></restriction></simpleType>
        </schema>
        """

    /// KML 2.2: elements, their order and their types, after OGC 07-147r2, annex C.
    static let kml = """
        <schema xmlns="http://www.w3.org/2001/XMLSchema" xmlns:k="http://www.opengis.net/kml/2.2"
          targetNamespace="http://www.opengis.net/kml/2.2" elementFormDefault="qualified">
        <element name="kml"><complexType><sequence><element name="Document" type="k:document" minOccurs="0"/></sequence>
          <attribute name="hint" type="string"/></complexType></element>
        <group name="feature"><sequence>
          <element name="name" type="string" minOccurs="0"/><element name="visibility" type="boolean" minOccurs="0"/>
          <element name="open" type="boolean" minOccurs="0"/>
          <any namespace="http://www.w3.org/2005/Atom" processContents="lax" minOccurs="0" maxOccurs="2"/>
          <element name="address" type="string" minOccurs="0"/><element name="phoneNumber" type="string" minOccurs="0"/>
          <element name="description" type="string" minOccurs="0"/>
          <choice minOccurs="0">
            <element name="TimeStamp"><complexType><sequence><element name="when" type="dateTime"/></sequence>
              </complexType></element>
            <element name="TimeSpan"><complexType><sequence><element name="begin" type="dateTime" minOccurs="0"/>
              <element name="end" type="dateTime" minOccurs="0"/></sequence></complexType></element>
          </choice>
          <element name="styleUrl" type="anyURI" minOccurs="0"/>
          <element name="Style" type="k:style" minOccurs="0" maxOccurs="unbounded"/>
          <element name="ExtendedData" minOccurs="0"><complexType><sequence>
            <element name="Data" minOccurs="0" maxOccurs="unbounded"><complexType><sequence>
              <element name="displayName" type="string" minOccurs="0"/><element name="value" type="string"/></sequence>
              <attribute name="name" type="string" use="required"/></complexType></element>
          </sequence></complexType></element>
        </sequence></group>
        <complexType name="document"><sequence><group ref="k:feature"/>
          <element name="Placemark" type="k:placemark" minOccurs="0" maxOccurs="unbounded"/></sequence></complexType>
        <complexType name="placemark"><sequence><group ref="k:feature"/><choice minOccurs="0">
          <element name="Point" type="k:point"/><element name="LineString" type="k:line"/>
          <element name="MultiGeometry"><complexType><sequence>
            <element name="LineString" type="k:line" maxOccurs="unbounded"/></sequence></complexType></element>
        </choice></sequence></complexType>
        <complexType name="style"><sequence><element name="LineStyle"><complexType><sequence>
          <element name="color"><simpleType><restriction base="hexBinary"><length value="4"/></restriction></simpleType>
          </element><element name="width" type="double"/></sequence></complexType></element></sequence>
          <attribute name="id" type="ID"/></complexType>
        <complexType name="point"><sequence><element name="extrude" type="boolean" minOccurs="0"/>
          <element name="altitudeMode" type="k:mode" minOccurs="0"/>
          <element name="coordinates" type="k:coordinates"/></sequence></complexType>
        <complexType name="line"><sequence><element name="extrude" type="boolean" minOccurs="0"/>
          <element name="tessellate" type="boolean" minOccurs="0"/>
          <element name="altitudeMode" type="k:mode" minOccurs="0"/>
          <element name="coordinates" type="k:coordinates"/></sequence></complexType>
        <simpleType name="mode"><restriction base="string"><enumeration value="clampToGround"/>
          <enumeration value="relativeToGround"/><enumeration value="absolute"/></restriction></simpleType>
        <simpleType name="coordinates"><list itemType="k:tuple"/></simpleType>
        <simpleType name="tuple"><restriction base="string">
          <pattern value="-?[0-9]+(\\.[0-9]+)?,-?[0-9]+(\\.[0-9]+)?(,-?[0-9]+(\\.[0-9]+)?)?"/></restriction></simpleType>
        </schema>
        """

    /// The output of `xmllint` for a file and a schema; empty if the file is valid.
    static func problems(_ file: URL, _ schema: String) throws -> String {
        let folder = try TemporaryFolder()
        let rules = folder.url.appendingPathComponent("rules.xsd")
        try Data(schema.utf8).write(to: rules)
        let (status, output) = try Tools.run(
            "xmllint", ["--noout", "--nonet", "--schema", rules.path, file.path])
        return status == 0 ? "" : output
    }
}
