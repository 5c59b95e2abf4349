/// <reference types="cypress" />

function add(id, name) {
  cy.visit(`/?store=${encodeURIComponent(Cypress.env('store'))}`);
  cy.get('[name=id]').type(id);
  cy.get('[name=name]').type(name);
  cy.contains('button', 'Add').click();
}

beforeEach(() => cy.task('reset'));

it('adds a plant', () => {
  add('1', 'Basil');
  cy.get('[role=status]').should('have.text', 'Basil was added.');
  cy.task('countPlants').should('equal', 1);
});

it('says that the store is busy', () => {
  cy.task('putFault', { answer: { status: 503, body: { error: 503, message: 'We are watering.' } } });
  add('1', 'Basil');
  cy.get('[role=status]').should('have.text', 'Not added: We are watering.');
});

export {};
