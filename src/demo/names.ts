export const givenNames = (
  'Anna Lukas Sophie Jonas Laura Leon Lena Noah Sarah Elias Julia David Nina Jan Lea Simon Mia Tim Céline Luca ' +
  'Chiara Matteo Élodie Julien ' +
  'Zoé Mathieu Jürgen Käthe Günter Birgit Søren Mette Åse Freja Emil Aino Väinö Päivi Matti Łukasz Agnieszka Paweł ' +
  'Małgorzata Zofia João Inês ' +
  'Tiago Beatriz Miguel Ana Marek Jana Petra Tomáš Eva Andrea Martin Claudia Reto Ursula Beat Regula Urs Silvia ' +
  'Thomas Monika Peter Ruth Daniel'
).split(' ')

export const familyNames = (
  'Müller Meier Schmid Keller Weber Huber Schneider Meyer Steiner Fischer Gerber Brunner Baumann Frei Zimmermann ' +
  'Moser Widmer Wyss Graf Roth ' +
  'Bachmann Kaufmann Schäfer Köhler Krüger Weiß Groß Böhm Jäger Vogel Lehmann Hofmann Bauer Wagner Becker Schulz ' +
  'Richter Wolf Neumann ' +
  'Rochat Favre Bonvin Dubois Lefèvre Moreau Bianchi Ferrari Bernasconi Rossi Nielsen Jørgensen Sørensen Østergaard ' +
  'Korhonen Virtanen ' +
  'Mäkinen Hämäläinen Kowalski Wiśniewska Wójcik Żurawski Silva Gonçalves Araújo Ferreira Novák Dvořák Gruber ' +
  'Pichler Wallner Ebner'
).split(' ')

export const companies = [
  'Reinigung Alpina AG',
  'Elektro Brunner GmbH',
  'Lift & Tor Service AG',
  'Sicherheitsdienst Limmat AG',
  'Kälte Klima Nord GmbH',
  'IT-Partner Rhein GmbH',
  'Gebäudetechnik Suter AG',
  'Catering Aare AG',
] as const
