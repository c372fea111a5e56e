extension PlaceCategories {
    /// Words for what stands in towns and beside paths.
    static let everyday: [Category] = [
        Category(
            "bench", ["bench", "lounger"],
            "bench,benches,sitzbank,sitzbänke,bänkli,banc,bancs,panchina,panchine,bancs públics"),
        Category(
            "bin", ["waste_basket"],
            "bin,bins,waste basket,waste baskets,rubbish bin,litter bin,trash can,abfalleimer,mülleimer,poubelle,poubelles,"
                + "cestino,cestini,papelera,papeleras,paperera"),
        Category(
            "recycling", ["recycling"],
            "recycling,recycling centre,recyclinghof,wertstoffhof,déchetterie,reciclaje,punto limpio"),
        Category(
            "vending-machine", ["vending_machine"],
            "vending machine,vending machines,automat,automaten,distributeur automatique,distributore automatico,"
                + "máquina expendedora"),
        Category(
            "barbecue", ["bbq", "firepit"],
            "barbecue,bbq,barbecues,fire pit,firepit,fire pits,grillplatz,grillstelle,feuerstelle,grillplätze,feuerstellen,"
                + "barbacoa,barbacoas,foyer"),
        Category(
            "school", ["school", "primary school", "secondary school"],
            "school,schools,schule,schulen,école,écoles,scuola,scuole,escuela,escuelas,colegio,colegios,escola,escoles"
        ),
        Category(
            "kindergarten", ["kindergarten", "childcare"],
            "kindergarten,kindergartens,nursery,preschool,kita,crèche,école maternelle,asilo,scuola materna,guardería,"
                + "llar d infants"),
        Category(
            "university", ["university", "college"],
            "university,universities,college,colleges,universität,hochschule,université,università,universidad,universitat"
        ),
        Category(
            "library", ["library"],
            "library,libraries,bibliothek,bibliotheken,bücherei,bibliothèque,bibliothèques,biblioteca,biblioteche,bibliotecas,"
                + "biblioteques"),
        Category(
            "town-hall", ["townhall"],
            "town hall,town halls,city hall,rathaus,gemeindehaus,mairie,hôtel de ville,municipio,ayuntamiento,ajuntament"
        ),
        Category(
            "fire-station", ["fire_station"],
            "fire station,fire stations,fire brigade,feuerwehr,caserne de pompiers,pompiers,vigili del fuoco,bomberos,bombers"
        ),
        Category(
            "dentist", ["dentist"],
            "dentist,dentists,zahnarzt,zahnärzte,dentiste,dentistes,dentista,dentisti,dentistas"),
        Category(
            "vet", ["veterinary"],
            "vet,vets,veterinary,veterinarian,tierarzt,tierärzte,vétérinaire,veterinario,veterinarios,veterinari"
        ),
        Category(
            "cinema", ["cinema"], "cinema,cinemas,movie theater,kino,kinos,cinéma,cinémas,cine,cines,cinemes"),
        Category(
            "theatre", ["theatre"],
            "theatre,theatres,theater,theaters,théâtre,théâtres,teatro,teatri,teatros,teatre,teatres"),
        Category(
            "market", ["marketplace"],
            "market,markets,marketplace,marktplatz,wochenmarkt,marché,marchés,mercato,mercati,mercado,mercados,mercat,mercats",
            alone: false),
        Category("taxi", ["taxi"], "taxi,taxis,taxi stand,taxi rank,taxistand"),
        Category(
            "park-and-ride", ["park and ride"],
            "park and ride,park ride,p r,parkandride,parc relais,parking relais,parcheggio di scambio,parcheggio di interscambio,"
                + "aparcamiento disuasorio,aparcament dissuasiu"),
        Category(
            "bicycle-parking", ["bicycle_parking"],
            "bicycle parking,bike parking,bike rack,bike racks,cycle parking,fahrradständer,fahrradparkplatz,veloparkplatz,"
                + "parking à vélos,aparcamiento de bicicletas"),
        Category(
            "bicycle-rental", ["bicycle_rental"],
            "bicycle rental,bike rental,bike hire,cycle hire,bike share,fahrradverleih,veloverleih,location de vélos,"
                + "alquiler de bicicletas"),
        Category("car-sharing", ["car_sharing"], "car sharing,carsharing,autopartage"),
        Category(
            "locker", ["luggage_locker", "locker", "parcel_locker"],
            "locker,lockers,luggage locker,luggage lockers,luggage storage,left luggage,schliessfach,schliessfächer,consigne,"
                + "consigna"),
        Category(
            "ice-cream", ["ice_cream"],
            "ice cream,eisdiele,eiscafé,glacier artisanal,gelateria,gelaterie,heladería,heladerías"
        ),
        Category(
            "kiosk", ["kiosk", "newsagent"],
            "kiosk,kiosks,newsagent,newsagents,kioske,zeitungskiosk,kiosque,kiosques,edicola,edicole,quiosco,quioscos,quiosc"
        ),
        Category(
            "hairdresser", ["hairdresser"],
            "hairdresser,hairdressers,barber,barbers,friseur,friseure,coiffeur,coiffeurs,parrucchiere,parrucchieri,peluquería,"
                + "peluquerías,perruqueria"),
        Category(
            "clothes", ["clothes"],
            "clothes,clothes shop,clothing,clothing store,kleidung,kleiderladen,vêtements,abbigliamento,ropa,roba"
        ),
        Category(
            "shoes", ["shoes"],
            "shoe shop,shoes,schuhgeschäft,schuhe,chaussures,scarpe,zapatería,zapatos,sabateria"),
        Category(
            "outdoor-shop", ["outdoor", "sports"],
            "outdoor shop,outdoor store,sports shop,sportgeschäft,magasin de sport,negozio di sport,tienda de deportes"
        ),
        Category(
            "bookshop", ["books"],
            "bookshop,bookshops,bookstore,book shop,buchhandlung,librairie,librairies,libreria,librerie,librería,librerías,"
                + "llibreria"),
        Category(
            "hardware-shop", ["hardware", "doityourself"],
            "hardware store,hardware shop,diy store,baumarkt,eisenwarenhandlung,quincaillerie,bricolage,ferramenta,ferretería,"
                + "ferreteria"),
        Category(
            "laundry", ["laundry", "dry_cleaning"],
            "laundry,laundries,laundromat,launderette,wäscherei,waschsalon,laverie,lavanderia,lavandería,bugaderia"
        ),
        Category(
            "swimming-pool", ["swimming_pool", "water_park"],
            "swimming pool,swimming pools,swimming,schwimmbad,schwimmbäder,freibad,hallenbad,piscine,piscines,piscina,piscinas"
        ),
        Category(
            "pitch", ["pitch"],
            "pitch,pitches,sports pitch,football pitch,tennis court,sportplatz,sportplätze,fussballplatz,terrain de sport,"
                + "campo sportivo,campo de fútbol,camp de futbol"),
        Category(
            "sports-centre", ["sports_centre", "fitness_centre", "stadium", "sports_hall"],
            "sports centre,sports center,gym,gyms,stadium,stadiums,fitness centre,sporthalle,turnhalle,fitnessstudio,stadion,"
                + "gymnase,stade,palestra,stadio,gimnasio,polideportivo,estadio,gimnàs,poliesportiu"),
        Category(
            "park", ["park", "garden", "nature_reserve"],
            "park,parks,parc,parcs,parco,parchi,parque,parques,parkanlage", alone: false),
        Category(
            "cemetery", ["cemetery", "grave_yard"],
            "cemetery,cemeteries,graveyard,graveyards,friedhof,friedhöfe,cimetière,cimetières,cimitero,cimiteri,cementerio,"
                + "cementerios,cementiri,cementiris"),
        Category(
            "beach", ["beach", "swimming_area"],
            "beach,beaches,strand,strände,badestelle,badestellen,plage,plages,spiaggia,spiagge,playa,playas,platja,platges",
            alone: false),
        Category(
            "memorial", ["memorial", "monument", "wayside_cross", "wayside_shrine"],
            "memorial,memorials,monument,monuments,wayside cross,wayside shrine,denkmal,denkmäler,wegkreuz,bildstock,mémorial,"
                + "calvaire,monumento,monumenti,monumentos,crucero"),
        Category(
            "information-board", ["information board", "map board"],
            "information board,information boards,info board,map board,infotafel,informationstafel,panneau d information,"
                + "pannello informativo,panel informativo"),
    ]
}
