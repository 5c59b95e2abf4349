// The package has types, but none for its entries of one language: what is used of this one is written out here.
declare module '@faker-js/faker/locale/en' {
  type Words = readonly string[];
  const faker: {
    readonly locales: {
      readonly en: {
        readonly address: Readonly<
          Record<
            | 'city_name'
            | 'country'
            | 'country_code'
            | 'county'
            | 'state'
            | 'state_abbr'
            | 'street_suffix'
            | 'time_zone',
            Words
          >
        >;
        readonly animal: Readonly<Record<'cat' | 'dog' | 'type', Words>>;
        readonly commerce: Readonly<Record<'color' | 'department' | 'product_description', Words>> & {
          readonly product_name: Readonly<Record<'adjective' | 'material' | 'product', Words>>;
        };
        readonly company: Readonly<
          Record<'adjective' | 'bs_adjective' | 'bs_noun' | 'bs_verb' | 'noun' | 'suffix', Words>
        >;
        readonly music: { readonly genre: Words };
        readonly name: Readonly<Record<'binary_gender' | 'first_name' | 'last_name', Words>> & {
          readonly title: Readonly<Record<'descriptor' | 'level' | 'job', Words>>;
        };
        readonly vehicle: Readonly<Record<'fuel' | 'manufacturer' | 'model', Words>>;
      };
    };
  };
  export default faker;
}
